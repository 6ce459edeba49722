package dev.doyen.cli.run;

import dev.doyen.text.DurationText;
import java.time.Duration;
import java.util.Optional;

/**
 * The validated settings of {@code doyen run}.
 *
 * @param ttl the ttl of the lease, which bounds {@code stopBefore}
 * @param grace the time between the request to stop and SIGKILL, from 0 to 1 h
 * @param stopBefore the time between the stop of the command and the end of a lease that was not renewed. It is at
 *     most two fifths of the ttl. A renewal runs every fifth of the ttl, and one missed renewal must not stop the
 *     command
 * @param maxWait the maximum time to wait for the election; empty to wait without a limit
 * @param mayWait false if the run ends at once when another candidate leads
 * @param conflictExitCode the exit code if the run ends because another candidate leads, because the wait has ended, or
 *     because the leadership was lost
 */
public record RunSettings(
        String election,
        Duration ttl,
        Duration grace,
        Duration stopBefore,
        OnLost onLost,
        Optional<Duration> maxWait,
        boolean mayWait,
        int conflictExitCode) {

    public static final Duration DEFAULT_GRACE = Duration.ofSeconds(5);
    public static final int DEFAULT_CONFLICT_EXIT_CODE = 1;

    private static final Duration LONGEST = Duration.ofHours(1);
    private static final int MAX_EXIT_CODE = 255;

    public RunSettings {
        within("grace", grace, LONGEST, "is at most 1 h");
        var most = ttl.multipliedBy(2).dividedBy(5);
        within(
                "stop-before",
                stopBefore,
                most,
                "is at most two fifths of the ttl (" + most.toMillis()
                        + " ms), because otherwise one missed renewal would end the work; lower it or raise the ttl");
        if (maxWait.isPresent() && maxWait.get().isNegative()) {
            throw new IllegalArgumentException("the time to wait cannot be negative; leave it out to wait for ever");
        }
        if (conflictExitCode < 0 || conflictExitCode > MAX_EXIT_CODE) {
            throw new IllegalArgumentException(
                    "the exit code for a conflict is " + conflictExitCode + "; it must be from 0 to " + MAX_EXIT_CODE);
        }
    }

    /**
     * Returns the default for {@code stopBefore}.
     *
     * <p>The default is the grace period, but at most a fifth of the ttl. With this default, the command still runs
     * after two consecutive renewals have failed.
     */
    public static Duration stopBeforeFor(Duration ttl, Duration grace) {
        var fifth = ttl.dividedBy(5);
        return grace.compareTo(fifth) < 0 ? grace : fifth;
    }

    private static void within(String what, Duration value, Duration most, String why) {
        if (value.isNegative() || value.compareTo(most) > 0) {
            throw new IllegalArgumentException("the " + what + " is " + DurationText.of(value) + "; it " + why);
        }
    }
}
