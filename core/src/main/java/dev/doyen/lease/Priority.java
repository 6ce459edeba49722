package dev.doyen.lease;

import dev.doyen.store.LeaseNotes;
import java.time.Duration;

/**
 * How much a candidate is preferred to others. A lower one stands back longer when a lease becomes free, by up to half
 * the ttl; at equal priority the faster one wins. A wish, not a promise: whoever is not there cannot lead.
 *
 * @param level 0 to 100; 100 does not stand back at all and is what candidates have that were given none
 * @param returns what a candidate does about a leader of a lower priority
 */
public record Priority(int level, Returns returns) {

    public static final Priority DEFAULT = sticky(LeaseNotes.MAX_PRIORITY);

    /** What a candidate does that finds a leader of a lower priority. */
    public enum Returns {
        /** Nothing: whoever leads goes on leading. */
        NEVER,
        /** Asks it to hand over, once that leader has been seen leading for a ttl. */
        WHEN_HIGHER
    }

    public Priority {
        if (level < 0 || level > LeaseNotes.MAX_PRIORITY) {
            throw new IllegalArgumentException("priority is " + level + "; it lies between 0 and "
                    + LeaseNotes.MAX_PRIORITY + ", which is the most preferred");
        }
    }

    /** Counts when a lease is free; leaves a leader alone. */
    public static Priority sticky(int level) {
        return new Priority(level, Returns.NEVER);
    }

    /** Counts when a lease is free; also asks a leader of a lower priority to hand over. */
    public static Priority returning(int level) {
        return new Priority(level, Returns.WHEN_HIGHER);
    }

    Duration holdBack(Duration ttl) {
        return ttl.multipliedBy(LeaseNotes.MAX_PRIORITY - level).dividedBy(2L * LeaseNotes.MAX_PRIORITY);
    }
}
