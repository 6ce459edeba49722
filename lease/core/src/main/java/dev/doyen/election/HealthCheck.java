package dev.doyen.election;

import dev.doyen.text.DurationText;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Allows a candidate to campaign only while it is healthy.
 *
 * <p>An unhealthy candidate does not campaign. A leader that becomes unhealthy stops its work and hands over (rule M6).
 * A candidate is unhealthy until its check has returned true for the first time.
 *
 * @param check called repeatedly, on a thread for callbacks; true means healthy. A check that throws, or that has not
 *     returned when the next one is due, counts as false
 * @param every time between two checks; 10 ms to 1 h, default 1 s
 * @param fallAfter number of consecutive failures after which a healthy candidate is unhealthy; 1 to 100, default 3
 * @param riseAfter number of consecutive successes after which an unhealthy candidate is healthy; 1 to 100, default 2
 * @param whenNoneHealthy what to do if the lease stays free because no candidate is healthy
 */
public record HealthCheck(
        BooleanSupplier check, Duration every, int fallAfter, int riseAfter, NoneHealthy whenNoneHealthy) {

    /** Whether an unhealthy candidate may lead if nobody acquires the lease. */
    public enum NoneHealthy {
        /** Leaves the lease free. The default. */
        NO_LEADER,
        /** Leads after 1.5 ttl, and hands over when a healthy candidate asks. */
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

    /** Returns a check once a second with the default thresholds. */
    public static HealthCheck of(BooleanSupplier check) {
        return new HealthCheck(check, Duration.ofSeconds(1), 3, 2, NoneHealthy.NO_LEADER);
    }

    /** Returns this check with another time between two checks. */
    public HealthCheck every(Duration period) {
        return new HealthCheck(check, period, fallAfter, riseAfter, whenNoneHealthy);
    }

    /** Returns this check with other thresholds for the changes to unhealthy and to healthy. */
    public HealthCheck hysteresis(int noInARow, int yesInARow) {
        return new HealthCheck(check, every, noInARow, yesInARow, whenNoneHealthy);
    }

    /** Returns this check with another choice for the case that no candidate is healthy. */
    public HealthCheck whenNoneHealthy(NoneHealthy choice) {
        return new HealthCheck(check, every, fallAfter, riseAfter, choice);
    }

    private static void within(String what, int value) {
        if (value < 1 || value > MOST) {
            throw new IllegalArgumentException(what + " is " + value + "; it lies between 1 and " + MOST);
        }
    }
}
