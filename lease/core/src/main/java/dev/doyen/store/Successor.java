package dev.doyen.store;

import dev.doyen.text.ElectionNames;
import java.time.Duration;

/**
 * The successor that the last leader has named (rule M2). The other candidates wait.
 *
 * @param id the candidate that leads next
 * @param delay how long the others wait after each has seen this, at most 1 h; then all compete
 */
public record Successor(String id, Duration delay) {

    /** The longest ttl. */
    private static final Duration MOST = Duration.ofHours(1);

    public Successor {
        ElectionNames.check("successor", id);
        if (delay.isNegative()) {
            throw new IllegalArgumentException("delay is " + delay + "; it must not be negative");
        }
        if (delay.compareTo(MOST) > 0) {
            delay = MOST;
        }
    }
}
