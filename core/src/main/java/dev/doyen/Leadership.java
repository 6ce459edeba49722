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
     * Stores {@code state} under the lease, in the same compare-and-set that proves the leadership: once this returns,
     * the next leader will receive it. Waits for the store.
     *
     * @throws NotLeaderException if the term ended first; whether the state was stored is then not known here
     */
    void save(HandOverState state) throws InterruptedException;

    /**
     * Returns if {@link #isCertain}.
     *
     * @throws NotLeaderException if not
     */
    void check();
}
