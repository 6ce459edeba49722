package dev.doyen.election;

import dev.doyen.event.Explanation;
import dev.doyen.event.Leader;
import java.util.Optional;

/** A participant that watches an election. Threads: any; only {@link #close} blocks. */
public interface Observer extends AutoCloseable {

    /** Returns the name of the election. */
    String election();

    /**
     * Returns the leader that this process has last observed.
     *
     * <p>The result is empty if the election has no leader, or if the lease of the last leader has expired. The
     * observer detects a change when the store announces it, or at the next read of the record.
     */
    Optional<Leader> leader();

    /**
     * Calls {@code listener} for the present leader, and then for later changes.
     *
     * <p>The listener receives changes in order, one at a time, on a thread for callbacks (rule L9). A later change can
     * replace a change that still waits.
     *
     * @return the registration; closing it removes the listener
     */
    Registration listen(LeaderListener listener);

    /** Explains why this participant leads or does not lead. The explanation contains a code and a sentence. */
    Explanation explain();

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
