package dev.doyen;

import dev.doyen.event.HandOverState;
import java.time.Duration;

/** One term of one leader. Stays readable after the term has ended; nothing in it comes back to life. */
public interface Leadership {

    /**
     * The fencing token: rises with each change of leader and is never used twice. Give it to whatever you write to,
     * and have that refuse a lower one than it has seen.
     */
    long term();

    /** True if this term held when it was read, by both clocks; false is only doubt. Two clock readings. */
    boolean isCertain();

    /** How much longer this term holds if nothing is renewed: the bound for a guarded call's timeout. Zero once over. */
    Duration remaining();

    /** What was last saved: by the leaders before, then by {@link #save}. */
    HandOverState state();

    /**
     * Saves a state for the next leader, and waits until it will receive that.
     *
     * <p><b>By a lease</b> the store keeps the state in the record of the lease, in the same compare-and-set that proves
     * the leadership. It lasts as long as the record.
     *
     * <p><b>On a ring</b> the members keep it in memory. This method returns when a message with the state has come round
     * the ring, so that every member of the leader's view has it. The next leader of this view, or of a
     * later one with any of these members, begins with this state or a newer one. The state is lost when the last of these
     * members ends. A member that is alone in its view saves for itself only. After a partition each side may have its
     * own state. When the sides meet, the state of the leader with the greater term remains, and the other is lost.
     *
     * @throws NotLeaderException if the term ended first. Whether the next leader receives the state is then not known
     */
    void save(HandOverState state) throws InterruptedException;

    /**
     * Returns if {@link #isCertain}.
     *
     * @throws NotLeaderException if not
     */
    void check();
}
