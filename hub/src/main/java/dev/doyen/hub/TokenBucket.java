package dev.doyen.hub;

/** Lets {@code ratePerSecond} things through in the long run, and {@code burst} at once. */
final class TokenBucket {

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final long nanosPerToken;
    private final long capacityNanos;
    private long creditNanos;
    private long atNanos;

    TokenBucket(int ratePerSecond, int burst, long nowNanos) {
        this.nanosPerToken = Math.max(1, NANOS_PER_SECOND / ratePerSecond);
        this.capacityNanos = Math.multiplyExact(nanosPerToken, (long) burst);
        this.creditNanos = capacityNanos;
        this.atNanos = nowNanos;
    }

    /** Takes {@code tokens}, all or none. */
    boolean take(int tokens, long nowNanos) {
        long elapsed = Math.min(Math.max(0, nowNanos - atNanos), capacityNanos);
        creditNanos = Math.min(capacityNanos, creditNanos + elapsed);
        atNanos = nowNanos;
        long cost = nanosPerToken * tokens;
        if (cost > creditNanos) {
            return false;
        }
        creditNanos -= cost;
        return true;
    }
}
