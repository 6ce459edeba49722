package dev.doyen.hub.ratelimit;

/** A token bucket with a steady rate and at most {@code burst} tokens. */
public final class TokenBucket {

    private static final long NANOS_PER_SECOND = 1_000_000_000L;

    private final long nanosPerToken;
    private final long capacityNanos;
    private long creditNanos;
    private long atNanos;

    /** Creates a full bucket that receives {@code rate} tokens per second. */
    public static TokenBucket perSecond(int rate, int burst, long nowNanos) {
        return new TokenBucket(NANOS_PER_SECOND / rate, burst, nowNanos);
    }

    /** Creates a full bucket that receives {@code rate} tokens per minute. */
    public static TokenBucket perMinute(int rate, int burst, long nowNanos) {
        return new TokenBucket(60 * NANOS_PER_SECOND / rate, burst, nowNanos);
    }

    private TokenBucket(long nanosPerToken, int burst, long nowNanos) {
        this.nanosPerToken = Math.max(1, nanosPerToken);
        this.capacityNanos = Math.multiplyExact(this.nanosPerToken, (long) burst);
        this.creditNanos = capacityNanos;
        this.atNanos = nowNanos;
    }

    /** Takes {@code tokens} tokens, or takes none and returns false. */
    public boolean take(int tokens, long nowNanos) {
        boolean enough = nanosUntil(tokens, nowNanos) == 0;
        if (enough) {
            creditNanos -= nanosPerToken * tokens;
        }
        return enough;
    }

    /** Takes {@code tokens} from the bucket, or all tokens if the bucket has fewer. */
    void drain(int tokens, long nowNanos) {
        refill(nowNanos);
        creditNanos = Math.max(0, creditNanos - nanosPerToken * tokens);
    }

    /** Returns one token to the bucket for an operation that did not take place. */
    void refund() {
        creditNanos = Math.min(capacityNanos, creditNanos + nanosPerToken);
    }

    /**
     * Returns the time until {@code tokens} tokens are available, in nanoseconds. The time is 0 if they are available
     * now.
     */
    public long nanosUntil(int tokens, long nowNanos) {
        refill(nowNanos);
        return Math.max(0, nanosPerToken * tokens - creditNanos);
    }

    private void refill(long nowNanos) {
        long elapsed = Math.min(Math.max(0, nowNanos - atNanos), capacityNanos);
        creditNanos = Math.min(capacityNanos, creditNanos + elapsed);
        atNanos = nowNanos;
    }
}
