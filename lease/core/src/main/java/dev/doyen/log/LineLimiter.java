package dev.doyen.log;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Limits the rate of log lines, and counts the lines that it leaves out.
 *
 * <p>The limiter is a token bucket: it permits {@value #AT_ONCE} lines at once, and {@value #PER_SECOND} lines per
 * second after that.
 *
 * <p>Threads: any.
 */
public final class LineLimiter {

    public static final int AT_ONCE = 100;
    public static final int PER_SECOND = 10;

    private static final long NANOS_PER_LINE = 1_000_000_000L / PER_SECOND;
    private static final long MOST_NANOS = AT_ONCE * NANOS_PER_LINE;

    private final Map<String, Long> leftOut = new TreeMap<>();
    private long creditNanos = MOST_NANOS;
    private long atNanos;

    /**
     * Creates a limiter that permits {@value #AT_ONCE} lines at once.
     *
     * @param nowNanos the present time of the monotonic clock
     */
    public LineLimiter(long nowNanos) {
        atNanos = nowNanos;
    }

    /**
     * Returns true if a line may be logged now. Otherwise counts the line as left out.
     *
     * @param kind the kind under which the line is counted; the caller must use few different kinds
     */
    public synchronized boolean permits(String kind, long nowNanos) {
        creditNanos = Math.min(MOST_NANOS, creditNanos + Math.max(0, nowNanos - atNanos));
        atNanos = nowNanos;
        if (creditNanos < NANOS_PER_LINE) {
            leftOut.merge(kind, 1L, Long::sum);
            return false;
        }
        creditNanos -= NANOS_PER_LINE;
        return true;
    }

    /**
     * Returns a sentence about the lines left out since the last call. The sentence contains the number of lines of
     * each kind. The result is empty if no line was left out.
     */
    public synchronized Optional<String> takeLeftOut() {
        if (leftOut.isEmpty()) {
            return Optional.empty();
        }
        long all = leftOut.values().stream().mapToLong(Long::longValue).sum();
        String kinds = leftOut.entrySet().stream()
                .map(kind -> kind.getValue() + " " + kind.getKey())
                .collect(Collectors.joining(", "));
        leftOut.clear();
        return Optional.of(
                all + " lines were left out, because more than " + PER_SECOND + " lines per second were due: " + kinds);
    }
}
