package dev.doyen.election;

import dev.doyen.store.LeaseNotes;
import java.time.Duration;

/**
 * The generation and the priority of a candidate. A candidate of a higher generation asks the leader to hand over (rule
 * M8). A candidate of lower priority waits longer when a lease becomes free (rule M3).
 *
 * <p>The wait is at most half the ttl. Among candidates of equal priority the fastest wins. The candidate with the
 * highest priority does not always lead, because it can be absent when a lease becomes free.
 *
 * @param level 0 to 100; 100 does not wait and is the default
 * @param returns the reaction of the candidate to a leader of the same generation and of lower priority
 * @param generation the number of the candidate's release, 0 to 2^53 - 1. A later release has a higher number. The
 *     default is 0. The generation is compared first, the level second
 */
public record Priority(int level, Returns returns, long generation) {

    public static final Priority DEFAULT = sticky(LeaseNotes.MAX_PRIORITY);

    /** The reaction of a candidate to a leader of lower priority. */
    public enum Returns {
        /** The candidate asks only a leader of priority 0 to hand over. An unhealthy leader has priority 0. */
        NEVER,
        /** The candidate asks the leader to hand over (rule M5), after it has observed this leader for one ttl. */
        WHEN_HIGHER
    }

    /**
     * Creates a priority of generation 0.
     *
     * @throws IllegalArgumentException if the level is not 0 to 100
     */
    public Priority(int level, Returns returns) {
        this(level, returns, 0);
    }

    public Priority {
        if (level < 0 || level > LeaseNotes.MAX_PRIORITY) {
            throw new IllegalArgumentException("priority is " + level + "; it lies between 0 and "
                    + LeaseNotes.MAX_PRIORITY + ", which is the most preferred");
        }
        if (generation < 0 || generation > LeaseNotes.MAX_GENERATION) {
            throw new IllegalArgumentException("generation is " + generation + "; it lies between 0 and "
                    + LeaseNotes.MAX_GENERATION + "; use for example the number or the time of the build");
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

    /**
     * Returns this priority with a generation. A rolling update then moves the leadership once, to the new release.
     *
     * @throws IllegalArgumentException if the generation is not 0 to 2^53 - 1
     */
    public Priority withGeneration(long newGeneration) {
        return new Priority(level, returns, newGeneration);
    }

    /** Returns the delay before this candidate acquires a free lease: 0 to half the ttl. */
    public Duration delay(Duration ttl) {
        return ttl.multipliedBy(LeaseNotes.MAX_PRIORITY - level).dividedBy(2L * LeaseNotes.MAX_PRIORITY);
    }
}
