package dev.doyen.lease;

import java.util.List;

/**
 * The result of one step of a lease machine.
 *
 * @param next the state after the step
 * @param effects the effects to carry out, in this order
 * @param wakeAtNanos the time at which the driver must pass the input {@code Woken}, in nanoseconds of the monotonic
 *     clock; {@link Long#MAX_VALUE} after the machine has ended
 */
public record LeaseStep(LeaseState next, List<LeaseEffect> effects, long wakeAtNanos) {
    public LeaseStep {
        effects = List.copyOf(effects);
    }
}
