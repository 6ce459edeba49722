package dev.doyen;

import dev.doyen.event.Leader;
import dev.doyen.lease.Explanation;
import dev.doyen.store.PastTerm;
import java.util.List;
import java.util.Optional;

/** Watches an election. Threads: any; nothing here blocks but {@link #close}. */
public interface Observer extends AutoCloseable {

    String election();

    /**
     * Who leads, as far as is known here: a leader whose lease was seen to run out is not named any more. News takes
     * as long as the store's watch or the next poll.
     */
    Optional<Leader> leader();

    /**
     * Tells {@code listener} what happens from now on, after telling it first how things stand. Events come in order,
     * one at a time, each once, on a thread for callbacks (rule L9).
     *
     * @return closing it ends the telling
     */
    Registration listen(ElectionListener listener);

    /** Why things are as they are, for a person who asks "why am I not the leader?". */
    Explanation explain();

    /**
     * The terms that are over, the latest first, at most {@value dev.doyen.store.LeaseNotes#MAX_PAST}: who led from when
     * to when, and why it ended. Between the end of one and the beginning of the next nobody led. Times are by the
     * clocks of those who wrote them.
     */
    List<PastTerm> history();

    @Override
    void close();

    /** A listener that can be taken off. */
    interface Registration extends AutoCloseable {
        @Override
        void close();
    }
}
