package dev.doyen.election;

import java.time.Duration;

/**
 * One term of one leader.
 *
 * <p>The object stays readable after the term has ended. An ended term never becomes valid again.
 *
 * <p>Each kind of election extends this interface. {@code dev.doyen.LeaseLeadership} has a fencing token and a saved
 * state. {@code dev.doyen.group.RingLeadership} has a counter and a saved state.
 *
 * <p>Threads: any.
 */
public interface Leadership {

    /**
     * Returns true if this term was valid when the clocks were read (rule L5).
     *
     * <p>False means only that the term is not certain to be valid, not that another candidate leads. The call reads
     * two clocks.
     */
    boolean isCertain();

    /**
     * Returns how long this term still lasts without a further renewal; zero after its end.
     *
     * <p>Use this duration as the maximum timeout of a call that only the leader may make.
     */
    Duration remaining();

    /**
     * Throws if {@link #isCertain} is false.
     *
     * @throws NotLeaderException if this term is not certain
     */
    void check();
}
