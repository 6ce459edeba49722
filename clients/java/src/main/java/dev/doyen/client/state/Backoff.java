package dev.doyen.client.state;

/**
 * Computes the exponential backoff with jitter before a stream is opened again.
 *
 * <p>The delay doubles up to a limit. Up to half of the delay is random.
 */
final class Backoff {

    static final long FIRST_NANOS = 500_000_000L;

    /** The minimum delay that a server may request, in milliseconds. */
    static final long MIN_RETRY_MILLIS = 100;

    /** The maximum delay that a server may request, in milliseconds. */
    static final long MAX_RETRY_MILLIS = 60_000;

    private static final int MAX_DOUBLINGS = 20;

    private final long mostNanos;
    private long firstNanos;
    private int failures;

    /** @param mostNanos the maximum delay in nanoseconds, unless the server requests a longer delay */
    Backoff(long mostNanos) {
        this.mostNanos = mostNanos;
        this.firstNanos = Math.min(FIRST_NANOS, mostNanos);
    }

    void retry(long millis) {
        firstNanos = Math.min(Math.max(millis, MIN_RETRY_MILLIS), MAX_RETRY_MILLIS) * 1_000_000L;
    }

    void worked() {
        failures = 0;
    }

    /**
     * Counts a failure and returns the delay, in nanoseconds.
     *
     * @param random a random number from 0 to 1
     */
    long failed(double random) {
        long full = Math.min(firstNanos << Math.min(failures, MAX_DOUBLINGS), Math.max(mostNanos, firstNanos));
        failures++;
        return full / 2 + (long) (full / 2.0 * random);
    }
}
