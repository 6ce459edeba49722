package dev.doyen.client.sight;

/** How long to wait before a stream is opened again: twice as long each time, up to a bound, less up to a half by chance. */
final class Backoff {

    static final long FIRST_NANOS = 500_000_000L;

    /** What a server may ask for at most, in milliseconds. */
    static final long MAX_RETRY_MILLIS = 60_000;

    private static final int MAX_DOUBLINGS = 20;

    private final long mostNanos;
    private long firstNanos;
    private int failures;

    /** @param mostNanos the bound, unless the server asks for more */
    Backoff(long mostNanos) {
        this.mostNanos = mostNanos;
        this.firstNanos = Math.min(FIRST_NANOS, mostNanos);
    }

    void retry(long millis) {
        firstNanos = Math.min(millis, MAX_RETRY_MILLIS) * 1_000_000L;
    }

    void worked() {
        failures = 0;
    }

    boolean isFirstFailure() {
        return failures == 1;
    }

    /** @param random from 0 to 1 */
    long failed(double random) {
        long full =
                Math.min(Math.max(firstNanos, 1) << Math.min(failures, MAX_DOUBLINGS), Math.max(mostNanos, firstNanos));
        failures++;
        return full / 2 + (long) (full / 2.0 * random);
    }
}
