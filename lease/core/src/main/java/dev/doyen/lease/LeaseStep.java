package dev.doyen.lease;

import java.util.List;

/**
 * The result of one step.
 *
 * @param next the state after the step
 * @param effects what to do, in order
 * @param wakeAtNanos when {@code Woken} is due, on the monotonic clock; {@link Long#MAX_VALUE} after the end
 */
public record LeaseStep(LeaseState next, List<LeaseEffect> effects, long wakeAtNanos) {
    public LeaseStep {
        effects = List.copyOf(effects);
    }
}
