package dev.doyen.ranking;

import java.util.List;

/**
 * The outcome of one step.
 *
 * @param next the state from now on
 * @param effects what to do, in order
 * @param wakeAtNanos when a {@code Tick} is owed, on the monotonic clock; {@link Long#MAX_VALUE} for never
 */
public record RankingStep(RankingState next, List<RankingEffect> effects, long wakeAtNanos) {
    public RankingStep {
        effects = List.copyOf(effects);
    }
}
