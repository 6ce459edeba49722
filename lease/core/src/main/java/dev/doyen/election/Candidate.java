package dev.doyen.election;

import java.util.Optional;

/**
 * A participant that may lead.
 *
 * <p>A {@link LocalCandidate} campaigns in this process. An elector beside this process may also campaign for it.
 *
 * <p>Threads: any. Only {@link #close} blocks.
 *
 * @param <L> the leadership that this kind of election gives
 */
public interface Candidate<L extends Leadership> extends Observer {

    /** Returns the id with which the candidate joined. */
    String id();

    /**
     * Returns true if this candidate leads now.
     *
     * <p>Each call compares the deadline of the leadership with both clocks (rules L4, L5). So the result becomes false
     * on time, even if all other threads are blocked. True means that the candidate led when the clocks were read.
     * False means only that it is not certain. Costs two clock readings.
     */
    boolean isLeader();

    /** Returns the current leadership; empty unless {@link #isLeader} is true. */
    Optional<L> leadership();

    /**
     * Calls {@code listener} for the present state, and then for each event.
     *
     * <p>The listener receives events in order, one at a time, each once, on a thread for callbacks (rule L9).
     *
     * @return the registration; closing it removes the listener
     */
    Registration listen(ElectionListener<? super L> listener);

    /** Leaves the election, and stops leading first. Waits for the work of the term for a limited time. */
    @Override
    void close();
}
