package dev.doyen;

import dev.doyen.event.SavedState;
import java.time.Duration;

/**
 * One term of one leader.
 *
 * <p>Stays readable after the term has ended. An ended term never becomes valid again.
 */
public interface Leadership {

    /**
     * Returns the fencing token, which rises with each new leadership and is never used twice.
     *
     * <p>Pass it with each write, and let the resource reject a term that is lower than one it has seen.
     */
    long term();

    /**
     * Returns true if this term held when the clocks were read (rule L5).
     *
     * <p>False means only that it is not certain. Costs two clock readings.
     */
    boolean isCertain();

    /**
     * Returns how much longer this term holds without another renewal; zero if it has ended.
     *
     * <p>Use it as the limit for the timeout of a guarded call.
     */
    Duration remaining();

    /** Returns the last saved state: of this term, or else of an earlier leader. */
    SavedState state();

    /**
     * Saves a state for the next leader, and waits until the save is confirmed.
     *
     * <p><b>By lease</b> the store keeps the state in the record of the lease. The same compare-and-set that proves the
     * leadership writes it. It lasts as long as the record.
     *
     * <p><b>On a ring</b> the members keep the state in memory. This method returns when a message with the state has
     * come round the ring, so that every member of the leader's view has it. The next leader of this view, or of a
     * later one with any of these members, begins with this state or a newer one. The state is lost when the last of
     * these members ends. A member that is alone in its view saves for itself only. After a partition each side may
     * have its own state. When the sides meet, the state of the leader with the greater term remains, and the other is
     * lost.
     *
     * @throws NotLeaderException if the term ended first. Whether the next leader receives the state is then not known
     * @throws InterruptedException if the calling thread is interrupted while it waits; the save may still succeed
     */
    void save(SavedState state) throws InterruptedException;

    /**
     * Throws if {@link #isCertain} is false.
     *
     * @throws NotLeaderException if this term is not certain
     */
    void check();
}
