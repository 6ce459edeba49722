package dev.doyen;

import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import java.time.Duration;
import java.util.Optional;

/**
 * Hears what happens in an election, in order, one call at a time, each once (rule L9):
 * {@code elected (jeopardy recovered?)* lost}, and again. What it throws is logged and harms nobody.
 *
 * <p>Callbacks have a thread of their own, which may block; but {@code lost} cannot be told before {@code elected} has
 * returned, so start long work elsewhere, or use {@link Candidate#whileLeading}. At most 256 callbacks of one process
 * run at a time; what comes while so many are blocked waits. The lease is given back after
 * {@code lost} has returned: return from it when the work has stopped.
 */
public interface ElectionListener {

    default void elected(Leadership leadership) {}

    /**
     * A renewal was missed; leading goes on, safely, for {@code remaining} at most. A slow listener may miss it.
     *
     * @param reason what the store said, or that it said nothing: a sentence for people
     */
    default void jeopardy(Duration remaining, String reason) {}

    /** A renewal succeeded after {@link #jeopardy}. */
    default void recovered() {}

    default void lost(LossCause cause) {}

    /**
     * Work done under {@code term} had not stopped when {@code by} was already seen to lead: the end of the term was
     * ignored for longer than a ttl. Worth an alarm. Only the fencing token protects what both write to.
     */
    default void overlapped(long term, Leader by) {}

    /** Another leads, or nobody that is known. A slow listener hears only the last of several. */
    default void leaderChanged(Optional<Leader> leader) {}
}
