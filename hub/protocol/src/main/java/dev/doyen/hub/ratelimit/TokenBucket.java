package dev.doyen.hub.ratelimit;

/** Token bucket with {@code ratePerSecond} tokens per second and room for {@code burst}. */
public final class TokenBucket {

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final long nanosPerToken;
    private final long capacityNanos;
    private long creditNanos;
    private long atNanos;

    public TokenBucket(int ratePerSecond, int burst, long nowNanos) {
        this.nanosPerToken = Math.max(1, NANOS_PER_SECOND / ratePerSecond);
        this.capacityNanos = Math.multiplyExact(nanosPerToken, (long) burst);
        this.creditNanos = capacityNanos;
        this.atNanos = nowNanos;
    }

    /** Takes {@code tokens}, all or none. */
    public boolean take(int tokens, long nowNanos) {
        boolean enough = nanosUntil(tokens, nowNanos) == 0;
        if (enough) {
            creditNanos -= nanosPerToken * tokens;
        }
        return enough;
    }

    /** Takes {@code tokens}, or all there are if these are fewer. */
    void drain(int tokens, long nowNanos) {
        refill(nowNanos);
        creditNanos = Math.max(0, creditNanos - nanosPerToken * tokens);
    }

    /** Returns one token of an operation that did not take place. */
    void giveBack() {
        creditNanos = Math.min(capacityNanos, creditNanos + nanosPerToken);
    }

    /** Returns how long it takes until {@code tokens} are available; 0 if they are. Units: nanoseconds. */
    long nanosUntil(int tokens, long nowNanos) {
        refill(nowNanos);
        return Math.max(0, nanosPerToken * tokens - creditNanos);
    }

    private void refill(long nowNanos) {
        long elapsed = Math.min(Math.max(0, nowNanos - atNanos), capacityNanos);
        creditNanos = Math.min(capacityNanos, creditNanos + elapsed);
        atNanos = nowNanos;
    }
}
