package dev.doyen.text;

import java.time.Duration;

/** Formats durations for messages. */
public final class DurationText {

    private static final Duration LONG = Duration.ofDays(1000);

    private DurationText() {}

    /**
     * Returns the duration in milliseconds, such as {@code 1500 ms}.
     *
     * <p>Returns the ISO 8601 form if the duration is longer than 1,000 days, because the milliseconds of a very long
     * duration overflow.
     */
    public static String of(Duration duration) {
        boolean fits = duration.compareTo(LONG) <= 0 && duration.compareTo(LONG.negated()) >= 0;
        return fits ? duration.toMillis() + " ms" : duration.toString();
    }
}
