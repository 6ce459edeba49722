package dev.doyen.election;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import java.time.Duration;
import java.util.Optional;

/**
 * Receives the events of one candidate.
 *
 * <p>Events come one at a time, each once (rule L9). For a candidate their order is
 * {@code elected (jeopardy recovered?)* lost}, again and again. {@code leaderChanged} may come at any time.
 *
 * <p>If a method throws, the exception is logged, and the other listeners and later events are not affected.
 *
 * <p>Threads: callbacks run on threads of their own and may block. However, {@code lost} comes only after
 * {@code elected} has returned. So start long work on another thread, or use {@link LocalCandidate#whileLeading}. At most
 * 256 callbacks of one process run at a time. Further ones wait.
 *
 * <p>The candidate releases the lease after {@code lost} has returned. So return from {@code lost} only when the work
 * has stopped.
 *
 * @param <L> the leadership that this kind of election gives
 */
public interface ElectionListener<L extends Leadership> {

    /** This candidate has acquired the leadership. */
    default void elected(L leadership) {}

    /**
     * A renewal has failed; the candidate leads for at most {@code remaining} unless another one succeeds.
     *
     * <p>It still leads safely. If a renewal succeeds before a slow listener is called, the listener receives only
     * {@link #recovered}.
     *
     * @param reason the store's error, or that it has not answered; a sentence for people
     */
    default void jeopardy(Duration remaining, String reason) {}

    /** A renewal has succeeded after {@link #jeopardy}. */
    default void recovered() {}

    /** This candidate has lost the leadership. It stays a candidate unless it was closed. */
    default void lost(LossCause cause) {}

    /**
     * Work of {@code term} was still running when {@code by} was seen to lead.
     *
     * <p>The work has ignored the end of its term for longer than a ttl. Raise an alarm. Only the fencing token
     * protects the resources that both leaders write to.
     */
    default void overlapped(long term, Leader by) {}

    /**
     * The leader has changed; empty if no leader is known. A slow listener receives only the latest of several changes.
     */
    default void leaderChanged(Optional<Leader> leader) {}
}
