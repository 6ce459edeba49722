package dev.doyen.event;

import java.time.Duration;

/** Durations in messages for people. */
public final class DurationText {

    private static final Duration LONG = Duration.ofDays(1000);

    private DurationText() {}

    /** In milliseconds, as {@code 1500 ms}. In ISO 8601 if it is so long that the milliseconds could overflow. */
    public static String of(Duration duration) {
        boolean fits = duration.compareTo(LONG) <= 0 && duration.compareTo(LONG.negated()) >= 0;
        return fits ? duration.toMillis() + " ms" : duration.toString();
    }
}
