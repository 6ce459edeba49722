package dev.doyen.elector.text;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;

/** Formats times and durations for users, such as {@code 3.2 s}, {@code 4 min 10 s} or {@code 2026-11-21T09:00:00Z}. */
public final class Spans {

    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration DAY = Duration.ofDays(1);

    private Spans() {}

    /** Formats a duration with at most two units. A duration of at least 1 ms is rounded down. */
    public static String text(Duration span) {
        if (span.isNegative()) {
            return "-" + text(span.negated());
        }
        if (span.compareTo(Duration.ofMillis(1)) < 0) {
            return String.format(Locale.ROOT, "%.2f ms", span.toNanos() / 1_000_000.0);
        }
        if (span.compareTo(Duration.ofSeconds(1)) < 0) {
            return span.toMillis() + " ms";
        }
        if (span.compareTo(MINUTE) < 0) {
            long tenths = span.toMillis() / 100;
            return tenths % 10 == 0 ? tenths / 10 + " s" : tenths / 10 + "." + tenths % 10 + " s";
        }
        if (span.compareTo(HOUR) < 0) {
            return pair(span.toMinutes(), "min", span.toSecondsPart(), "s");
        }
        if (span.compareTo(DAY) < 0) {
            return pair(span.toHours(), "h", span.toMinutesPart(), "min");
        }
        return pair(span.toDays(), "d", span.toHoursPart(), "h");
    }

    /**
     * Formats a remaining duration after rounding it up.
     *
     * <p>A duration of at least 1 s is rounded up to a tenth of a second, and a shorter duration to a millisecond.
     * {@link #text(Duration)} then formats the result, which omits fractions of a second from 1 min on. For example,
     * the text for a lease that was just renewed contains the full ttl.
     */
    public static String left(Duration span) {
        long millis = span.toMillis() + (span.toNanosPart() % 1_000_000 > 0 ? 1 : 0);
        return text(millis < 1000 ? Duration.ofMillis(millis) : Duration.ofMillis((millis + 99) / 100 * 100));
    }

    /** Formats a time in UTC, without fractions of a second. */
    public static String text(Instant at) {
        return at.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    /**
     * Formats the age of a time according to this machine's clock. If the time is in the future, the text states by how
     * much it is ahead.
     */
    public static String ago(Instant at, Instant now) {
        var span = Duration.between(at, now);
        if (span.isNegative()) {
            return "ahead of this machine's clock by " + text(span.negated());
        }
        return span.compareTo(Duration.ofSeconds(1)) < 0 ? "just now" : text(span) + " ago";
    }

    private static String pair(long large, String largeUnit, int small, String smallUnit) {
        return small == 0 ? large + " " + largeUnit : large + " " + largeUnit + " " + small + " " + smallUnit;
    }

    /** Formats a time in UTC with millisecond precision, for JSON. */
    public static String millis(Instant at) {
        return at.truncatedTo(ChronoUnit.MILLIS).toString();
    }
}
