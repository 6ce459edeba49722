package dev.doyen.group;

import dev.doyen.election.Leadership;
import dev.doyen.election.NotLeaderException;
import dev.doyen.event.SavedState;

/**
 * One term of a leader on a ring, with the state that the members keep.
 *
 * <p>It has no fencing token, because leaders on two sides of a partition may have the same counter. Threads: any.
 */
public interface RingLeadership extends Leadership {

    /**
     * Returns the counter of the term, which rises with each new leadership on one side of a partition.
     *
     * <p>When two sides meet, the leader with the greater member id goes on with its counter. The processes of the other
     * side see a new leader without a new counter. So do not use the counter as a fencing token.
     */
    long counter();

    /** Returns the last saved state: of this term, or else of an earlier leader. */
    SavedState state();

    /**
     * Saves a state for the next leader, and waits until the save is confirmed.
     *
     * <p>The members keep the state in memory. This method returns when a message with the state has come round the
     * ring, so that every member of the leader's view has it. The next leader of this view, or of a later one with any
     * of these members, begins with this state or a newer one. The state is lost when the last of these members ends. A
     * member that is alone in its view saves for itself only. After a partition each side may have its own state. When
     * the sides meet, the state of the leader with the greater term remains, and the other is lost.
     *
     * @throws NotLeaderException if the term ended first. Whether the next leader receives the state is then not known
     * @throws InterruptedException if the calling thread is interrupted while it waits; the save may still succeed
     */
    void save(SavedState state) throws InterruptedException;
}
