package dev.doyen.group;

import dev.doyen.election.Leadership;
import dev.doyen.election.NotLeaderException;
import dev.doyen.event.SavedState;

/**
 * One term of a leader on a ring, with its saved state. The members store this state.
 *
 * <p>A leadership on a ring has no fencing token, because leaders on two sides of a partition can have the same
 * counter. Threads: any.
 */
public interface RingLeadership extends Leadership {

    /**
     * Returns the counter of the term. On one side of a partition, the counter rises with each new leadership.
     *
     * <p>When the two sides of a partition merge, the leader with the greater term continues to lead, with the same
     * counter. If both leaders have the same counter, the leader with the greater member id continues to lead. In this
     * case the leader changes for the processes of the other side, but the counter does not change. So do not use the
     * counter as a fencing token.
     */
    long counter();

    /**
     * Returns the newest saved state of this term. Before the first save, the result is the state with which the term
     * began.
     */
    SavedState state();

    /**
     * Saves a state for the next leader, and waits until the save is confirmed.
     *
     * <p>The members store the state in memory only. This method returns after a message with the state has passed
     * every member of the leader's view. At this time every member of the view has stored the state. A later leader
     * begins with this state or a newer state, if its view contains any of these members. The state is lost after the
     * last of these members has ended. If a leader is the only member of its view, no other member stores the state.
     * After a partition each side can have its own state. When the sides merge, the state of the leader with the
     * greater term remains. The state of the other leader is lost.
     *
     * @throws NotLeaderException if the term ended before the save was confirmed. In this case the next leader may or
     *     may not receive the state
     * @throws InterruptedException if the calling thread is interrupted while it waits; the save can still succeed
     */
    void save(SavedState state) throws InterruptedException;
}
