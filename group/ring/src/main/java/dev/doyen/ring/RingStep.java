package dev.doyen.ring;

import java.util.List;

/**
 * The result of one step.
 *
 * @param next the state after the step
 * @param effects the effects to carry out, in this order
 * @param wakeAtNanos the time at which {@code Woken} is due, on the monotonic clock; {@link Long#MAX_VALUE} for never
 */
public record RingStep(RingState next, List<RingEffect> effects, long wakeAtNanos) {
    public RingStep {
        effects = List.copyOf(effects);
    }
}
