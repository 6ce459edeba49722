package dev.doyen.store;

import dev.doyen.text.ElectionNames;
import java.time.Duration;

/**
 * The successor that the last leader has named (rule M2). The other candidates wait for {@code delay}.
 *
 * @param id the candidate that leads next
 * @param delay the time for which other candidates wait after they read this note, at most 1 h
 */
public record Successor(String id, Duration delay) {

    /** The maximum delay, which is also the maximum ttl. */
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
