package dev.doyen.election;

import dev.doyen.store.LeaseNotes;
import java.time.Duration;

/**
 * The priority of a candidate. A candidate of lower priority waits longer when a lease becomes free (rule M3).
 *
 * <p>The wait is at most half the ttl. Among candidates of equal priority the fastest wins. The candidate with the
 * highest priority does not always lead, because it can be absent when a lease becomes free.
 *
 * @param level 0 to 100; 100 does not wait and is the default
 * @param returns the reaction of the candidate to a leader of lower priority
 */
public record Priority(int level, Returns returns) {

    public static final Priority DEFAULT = sticky(LeaseNotes.MAX_PRIORITY);

    /** The reaction of a candidate to a leader of lower priority. */
    public enum Returns {
        /** The candidate asks only a leader of priority 0 to hand over. An unhealthy leader has priority 0. */
        NEVER,
        /** The candidate asks the leader to hand over (rule M5), after it has observed this leader for one ttl. */
        WHEN_HIGHER
    }

    public Priority {
        if (level < 0 || level > LeaseNotes.MAX_PRIORITY) {
            throw new IllegalArgumentException("priority is " + level + "; it lies between 0 and "
                    + LeaseNotes.MAX_PRIORITY + ", which is the most preferred");
        }
    }

    /**
     * Returns a priority with {@link Returns#NEVER}.
     *
     * @throws IllegalArgumentException if the level is not 0 to 100
     */
    public static Priority sticky(int level) {
        return new Priority(level, Returns.NEVER);
    }

    /**
     * Returns a priority whose candidate also asks a leader of lower priority to hand over.
     *
     * @throws IllegalArgumentException if the level is not 0 to 100
     */
    public static Priority returning(int level) {
        return new Priority(level, Returns.WHEN_HIGHER);
    }

    /** Returns the delay before this candidate acquires a free lease: 0 to half the ttl. */
    public Duration delay(Duration ttl) {
        return ttl.multipliedBy(LeaseNotes.MAX_PRIORITY - level).dividedBy(2L * LeaseNotes.MAX_PRIORITY);
    }
}
