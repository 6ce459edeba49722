package dev.doyen;

import dev.doyen.event.Leader;
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

    @Override
    void close();

    /** A listener that can be taken off. */
    interface Registration extends AutoCloseable {
        @Override
        void close();
    }
}
