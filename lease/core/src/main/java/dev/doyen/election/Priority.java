package dev.doyen.election;

import dev.doyen.store.LeaseNotes;
import java.time.Duration;

/**
 * The priority of a candidate. A lower priority waits longer when a lease becomes free (rule M3).
 *
 * <p>The wait is at most half the ttl. Among equal priorities the fastest candidate wins. A priority guarantees
 * nothing, because a candidate that is absent cannot lead.
 *
 * @param level 0 to 100; 100 does not wait and is the default
 * @param returns what the candidate does about a leader of lower priority
 */
public record Priority(int level, Returns returns) {

    public static final Priority DEFAULT = sticky(LeaseNotes.MAX_PRIORITY);

    /** The reaction of a candidate to a leader of lower priority. */
    public enum Returns {
        /** Nothing: the leader goes on leading. */
        NEVER,
        /** Asks the leader to hand over, after it has seen that leader lead for a ttl (rule M5). */
        WHEN_HIGHER
    }

    public Priority {
        if (level < 0 || level > LeaseNotes.MAX_PRIORITY) {
            throw new IllegalArgumentException("priority is " + level + "; it lies between 0 and "
                    + LeaseNotes.MAX_PRIORITY + ", which is the most preferred");
        }
    }

    /** Returns a priority that counts only while a lease is free. */
    public static Priority sticky(int level) {
        return new Priority(level, Returns.NEVER);
    }

    /** Returns a priority that counts while a lease is free, and asks a leader of lower priority to hand over. */
    public static Priority returning(int level) {
        return new Priority(level, Returns.WHEN_HIGHER);
    }

    public Duration delay(Duration ttl) {
        return ttl.multipliedBy(LeaseNotes.MAX_PRIORITY - level).dividedBy(2L * LeaseNotes.MAX_PRIORITY);
    }
}
