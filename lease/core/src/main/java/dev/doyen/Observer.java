package dev.doyen;

import dev.doyen.event.Leader;
import dev.doyen.lease.Explanation;
import dev.doyen.store.PastTerm;
import java.util.List;
import java.util.Optional;

/** A participant that watches an election. Threads: any; only {@link #close} blocks. */
public interface Observer extends AutoCloseable {

    /** Returns the name of the election. */
    String election();

    /**
     * Returns the current leader, as far as this process knows.
     *
     * <p>Empty if nobody leads, or if the last leader's lease was seen to expire. A change arrives when the store
     * announces it, or with the next poll.
     */
    Optional<Leader> leader();

    /**
     * Calls {@code listener} for the present state, and then for each event.
     *
     * <p>The listener receives events in order, one at a time, each once, on a thread for callbacks (rule L9).
     *
     * @return the registration; closing it removes the listener
     */
    Registration listen(ElectionListener listener);

    /** Explains why this participant leads or does not lead. The explanation has a code and a sentence. */
    Explanation explain();

    /**
     * Returns the terms that have ended, the latest first, at most {@value dev.doyen.store.LeaseNotes#MAX_PAST}.
     *
     * <p>Each entry contains the leader, when the term began and ended, and why it ended. If an admin
     * command ended the term, the entry also contains who sent it, and the reason. Nobody led between two entries. Each
     * time was taken from the clock of the process that wrote it. Empty on a ring, which keeps no
     * history.
     */
    List<PastTerm> history();

    /** Stops watching. */
    @Override
    void close();

    /** A registered listener. */
    interface Registration extends AutoCloseable {
        /** Removes the listener. */
        @Override
        void close();
    }
}
