package dev.doyen;

import dev.doyen.event.DurationText;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Ties candidacy to health: a candidate that is not well does not stand, and one that falls ill while leading stops its
 * work and hands over. Not well at first, until the check has said yes once.
 *
 * @param check asked again and again, on a thread for callbacks; true means well. What throws, or has not returned by
 *     the time of the next one, counts as no
 * @param every how often; 10 ms to 1 h, default 1 s
 * @param fallAfter so many times no in a row make a well candidate ill; 1 to 100, default 3
 * @param riseAfter so many times yes in a row make an ill candidate well; 1 to 100, default 2
 * @param whenNobodyIsWell what to do if the lease stays free because no candidate is well
 */
public record HealthCheck(
        BooleanSupplier check, Duration every, int fallAfter, int riseAfter, NobodyWell whenNobodyIsWell) {

    /** What an ill candidate does about a lease that nobody takes. */
    public enum NobodyWell {
        /** Leaves it free: better no leader than an ill one. The default. */
        NO_LEADER,
        /** Leads all the same, after one and a half ttl, and hands over as soon as somebody well asks. */
        LEAD_ANYWAY
    }

    private static final int MOST = 100;

    public HealthCheck {
        if (every.compareTo(Duration.ofMillis(10)) < 0 || every.compareTo(Duration.ofHours(1)) > 0) {
            throw new IllegalArgumentException(
                    "a health check every " + DurationText.of(every) + " is out of bounds; choose 10 ms to 1 h");
        }
        within("fallAfter", fallAfter);
        within("riseAfter", riseAfter);
    }

    /** A check once a second with the defaults. */
    public static HealthCheck of(BooleanSupplier check) {
        return new HealthCheck(check, Duration.ofSeconds(1), 3, 2, NobodyWell.NO_LEADER);
    }

    public HealthCheck every(Duration period) {
        return new HealthCheck(check, period, fallAfter, riseAfter, whenNobodyIsWell);
    }

    /** So many times no in a row to fall ill, so many times yes to be well again. */
    public HealthCheck hysteresis(int noInARow, int yesInARow) {
        return new HealthCheck(check, every, noInARow, yesInARow, whenNobodyIsWell);
    }

    public HealthCheck whenNobodyIsWell(NobodyWell choice) {
        return new HealthCheck(check, every, fallAfter, riseAfter, choice);
    }

    private static void within(String what, int value) {
        if (value < 1 || value > MOST) {
            throw new IllegalArgumentException(what + " is " + value + "; it lies between 1 and " + MOST);
        }
    }
}
