package dev.doyen.ring;

/**
 * How one member takes part.
 *
 * @param algorithm the same for all members of a ring
 * @param order the same for all members of a ring
 * @param priority 0 to 100; the higher is preferred when nobody leads
 * @param stands false for an observer, which passes messages on and never leads
 */
public record RingSettings(RingAlgorithm algorithm, RingOrder order, RingTiming timing, int priority, boolean stands) {
    public RingSettings {
        if (priority < 0 || priority > 100) {
            throw new IllegalArgumentException("priority is " + priority + "; its bounds are 0 and 100");
        }
    }

    /** By {@link RingOrder#OLDEST}. */
    public RingSettings(RingAlgorithm algorithm, RingTiming timing, int priority, boolean stands) {
        this(algorithm, RingOrder.OLDEST, timing, priority, stands);
    }

    /** The same in another order. */
    public RingSettings withOrder(RingOrder choice) {
        return new RingSettings(algorithm, choice, timing, priority, stands);
    }

    /** Chang-Roberts, the oldest first, the recommended durations, priority 100, a candidate. */
    public static final RingSettings DEFAULT =
            new RingSettings(RingAlgorithm.CHANG_ROBERTS, RingTiming.ofFollow(RingTiming.DEFAULT_FOLLOW), 100, true);
}
