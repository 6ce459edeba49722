package dev.doyen.election;

import dev.doyen.text.DurationText;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * Allows a candidate to campaign only while it is healthy.
 *
 * <p>An unhealthy candidate does not campaign, except under {@link NoneHealthy#LEAD_ANYWAY}. A leader that becomes
 * unhealthy stops its work and hands over (rule M6). Before the first check has returned, a candidate counts as
 * unhealthy. If the first check returns true, the candidate is healthy at once.
 *
 * @param check the function that is called repeatedly on a thread for callbacks; true means healthy. A check counts
 *     as false if it throws, or if it has not returned when the next check is due
 * @param every time between two checks; 10 ms to 1 h, default 1 s
 * @param fallAfter number of consecutive failures after which a healthy candidate becomes unhealthy; 1 to 100, default
 *     3
 * @param riseAfter number of consecutive successes after which an unhealthy candidate becomes healthy; 1 to 100,
 *     default 2
 * @param whenNoneHealthy what an unhealthy candidate does if the lease stays free because no candidate is healthy
 */
public record HealthCheck(
        BooleanSupplier check, Duration every, int fallAfter, int riseAfter, NoneHealthy whenNoneHealthy) {

    /** The policy for an unhealthy candidate if no healthy candidate acquires the lease. */
    public enum NoneHealthy {
        /** The candidate leaves the lease free. This is the default. */
        NO_LEADER,
        /**
         * The candidate campaigns if the lease has been free for 1.5 ttl. It hands over at the request of a healthy
         * candidate. A ring election rejects this policy.
         */
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

    /** Returns a health check that runs once a second, with the default thresholds. */
    public static HealthCheck of(BooleanSupplier check) {
        return new HealthCheck(check, Duration.ofSeconds(1), 3, 2, NoneHealthy.NO_LEADER);
    }

    /** Returns this check with another time between two checks. */
    public HealthCheck every(Duration period) {
        return new HealthCheck(check, period, fallAfter, riseAfter, whenNoneHealthy);
    }

    /** Returns this check with other values for {@code fallAfter} and {@code riseAfter}. */
    public HealthCheck hysteresis(int noInARow, int yesInARow) {
        return new HealthCheck(check, every, noInARow, yesInARow, whenNoneHealthy);
    }

    /** Returns this check with another policy for an election in which no candidate is healthy. */
    public HealthCheck whenNoneHealthy(NoneHealthy choice) {
        return new HealthCheck(check, every, fallAfter, riseAfter, choice);
    }

    private static void within(String what, int value) {
        if (value < 1 || value > MOST) {
            throw new IllegalArgumentException(what + " is " + value + "; it lies between 1 and " + MOST);
        }
    }
}
