package dev.doyen.ring;

import dev.doyen.group.settings.RingAlgorithm;
import dev.doyen.group.settings.RingOrder;
import dev.doyen.group.settings.RingTiming;

/**
 * The settings of one member of a ring.
 *
 * @param algorithm the algorithm, which is the same for all members of a ring
 * @param order the order of candidates, which is the same for all members of a ring
 * @param priority the priority, 0 to 100; while nobody leads, the candidate with the higher priority wins
 * @param campaigns false for an observer, which forwards messages and never leads
 */
public record RingSettings(
        RingAlgorithm algorithm, RingOrder order, RingTiming timing, int priority, boolean campaigns) {
    public RingSettings {
        if (priority < 0 || priority > 100) {
            throw new IllegalArgumentException("priority is " + priority + "; its bounds are 0 and 100");
        }
    }

    /** Creates settings with {@link RingOrder#OLDEST}. */
    public RingSettings(RingAlgorithm algorithm, RingTiming timing, int priority, boolean campaigns) {
        this(algorithm, RingOrder.OLDEST, timing, priority, campaigns);
    }

    /** Returns the same settings with another order. */
    public RingSettings withOrder(RingOrder choice) {
        return new RingSettings(algorithm, choice, timing, priority, campaigns);
    }

    /** The default settings of a candidate: Chang-Roberts, oldest first, the default durations, and priority 100. */
    public static final RingSettings DEFAULT = new RingSettings(
            RingAlgorithm.CHANG_ROBERTS, RingTiming.ofElectionTimeout(RingTiming.DEFAULT_ELECTION_TIMEOUT), 100, true);
}
