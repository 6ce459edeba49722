package dev.doyen.election;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import java.time.Duration;
import java.util.Optional;

/**
 * Receives the events of one candidate.
 *
 * <p>A listener receives its events one at a time, and each event at most once (rule L9). The events of a candidate
 * repeat in the order {@code elected (jeopardy | recovered)* lost}. {@code overlapped} can come after {@code lost}, and
 * {@code leaderChanged} can come at any time.
 *
 * <p>If a method throws, the exception is logged, and the other listeners and later events are not affected.
 *
 * <p>Threads: callbacks run on callback threads and may block. However, {@code lost} is called only after
 * {@code elected} has returned. So start long work on another thread, or use {@link LocalCandidate#whileLeading}. At
 * most 256 callbacks run at a time in one election, or in all elections that share their threads. Further callbacks
 * wait.
 *
 * <p>The candidate releases the lease after {@code lost} has returned, so return from {@code lost} only when the work
 * has stopped. In an election of {@code Elections}, the candidate releases the lease one ttl after the loss at the
 * latest.
 *
 * @param <L> the type of leadership in this kind of election
 */
public interface ElectionListener<L extends Leadership> {

    /** Called when this candidate has acquired the leadership. */
    default void elected(L leadership) {}

    /**
     * Called when a renewal has failed. The candidate leads for at most {@code remaining} unless a later renewal
     * succeeds.
     *
     * <p>During this time no other candidate can lead. If a renewal succeeds before a slow listener is called, the
     * listener possibly receives only {@link #recovered}.
     *
     * @param reason a text for people, such as the error of the store or a statement that the store has not answered
     */
    default void jeopardy(Duration remaining, String reason) {}

    /** Called when a renewal has succeeded after {@link #jeopardy}. */
    default void recovered() {}

    /**
     * Called when this candidate has lost the leadership. Normally, the candidate then campaigns again. It does not
     * campaign while it or the election is paused, while its health check forbids this, after its task has ended, or
     * after it was closed.
     */
    default void lost(LossCause cause) {}

    /**
     * Called if this process observed the leader {@code by} while work of {@code term} was running.
     *
     * <p>The work did not stop at the end of its term, and now another candidate leads. Raise an alarm. Only the
     * fencing token protects the resources that both leaders write to.
     */
    default void overlapped(long term, Leader by) {}

    /**
     * Called first for the present leader, and then when the leader has changed. {@code leader} is empty if no leader
     * is known. If several changes occur before a slow listener is called, it possibly receives only the latest change.
     */
    default void leaderChanged(Optional<Leader> leader) {}
}
