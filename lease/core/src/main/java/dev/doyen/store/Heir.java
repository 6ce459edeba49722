package dev.doyen.store;

import java.time.Duration;

/**
 * The successor that the last leader has named (rule M2). The other candidates wait.
 *
 * @param id the candidate that leads next
 * @param holdBack how long the others wait after each has seen this, at most 1 h; then all compete
 */
public record Heir(String id, Duration holdBack) {

    /** The longest ttl. */
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
