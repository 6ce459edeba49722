package dev.doyen.store;

import java.time.Duration;

/**
 * The candidate that the last leader has named as its successor. The others wait for a while after they have seen it.
 *
 * @param id the candidate that is to take over
 * @param holdBack how long the others wait, each from its own receipt, for an hour at most; afterwards all compete
 */
public record Heir(String id, Duration holdBack) {

    /** As long as the longest ttl. */
    private static final Duration MOST = Duration.ofHours(1);

    public Heir {
        ElectionNames.check("heir", id);
        if (holdBack.isNegative()) {
            throw new IllegalArgumentException("holdBack is " + holdBack + "; it must not be negative");
        }
        if (holdBack.compareTo(MOST) > 0) {
            holdBack = MOST;
        }
    }
}
