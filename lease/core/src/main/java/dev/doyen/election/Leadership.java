package dev.doyen.election;

import java.time.Duration;

/**
 * One term of one leader.
 *
 * <p>Stays readable after the term has ended. An ended term never becomes valid again.
 *
 * <p>Only some elections give more than this. {@code dev.doyen.LeaseLeadership} has a fencing token and a saved state.
 * {@code dev.doyen.group.RingLeadership} has a counter and a saved state.
 *
 * <p>Threads: any.
 */
public interface Leadership {

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

    /**
     * Throws if {@link #isCertain} is false.
     *
     * @throws NotLeaderException if this term is not certain
     */
    void check();
}
