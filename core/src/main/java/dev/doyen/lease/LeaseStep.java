package dev.doyen.lease;

import java.util.List;

/**
 * The outcome of one step.
 *
 * @param next the state from now on
 * @param effects what to do, in order
 * @param wakeAtNanos when {@code Woken} is owed, on the monotonic clock; {@link Long#MAX_VALUE} after the end
 */
public record LeaseStep(LeaseState next, List<LeaseEffect> effects, long wakeAtNanos) {
    public LeaseStep {
        effects = List.copyOf(effects);
    }
}
