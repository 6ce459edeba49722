package dev.doyen.election;

import java.util.Optional;

/**
 * A participant that can become the leader.
 *
 * <p>A {@link LocalCandidate} campaigns in this process. A separate program, the elector, can also campaign on behalf
 * of this process.
 *
 * <p>Threads: any. Only {@link #close} blocks.
 *
 * @param <L> the type of leadership in this kind of election
 */
public interface Candidate<L extends Leadership> extends Observer {

    /** Returns the id with which the candidate joined. */
    String id();

    /**
     * Returns true if this candidate leads now.
     *
     * <p>Each call compares the deadline of the leadership with both clocks (rules L4, L5). So the result becomes
     * false on time, even if all other threads are blocked. True means that the candidate led when the clocks were
     * read. False means only that the candidate is not certain to lead, not that another candidate leads.
     */
    boolean isLeader();

    /** Returns the current leadership; empty unless {@link #isLeader} is true. */
    Optional<L> leadership();

    /**
     * Calls {@code listener} for the present state, and then for later events.
     *
     * <p>The listener receives events in order, one at a time, each at most once, on a thread for callbacks (rule L9).
     * A later event of the same kind can replace an event that still waits.
     *
     * @return the registration; closing it removes the listener
     */
    Registration listen(ElectionListener<? super L> listener);

    /**
     * Leaves the election. The candidate first stops leading. Then it waits for a limited time until the work of the
     * term has stopped.
     */
    @Override
    void close();
}
