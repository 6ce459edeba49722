package dev.doyen.hub.server.websocket;

import java.util.concurrent.TimeUnit;

/**
 * Stores the longest recent wait of an input for the hub's thread.
 *
 * <p>The maximum contains every wait of the last 30 s, and no wait that is older than 90 s. A window collects waits for
 * 30 s. The next window begins with the next input. Times are nanoseconds of a monotonic clock.
 *
 * <p>Threads: one thread records, and any thread reads.
 */
final class LoopLag {

    static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(30);

    private volatile Window window;

    /**
     * @param beganNanos the start of the current window, in nanoseconds
     * @param max the longest wait of the current window, in nanoseconds
     * @param maxBefore the longest wait of the window before, in nanoseconds
     */
    private record Window(long beganNanos, long max, long maxBefore) {}

    LoopLag(long nowNanos) {
        window = new Window(nowNanos, 0, 0);
    }

    /** Records the wait of one input. */
    void record(long waitedNanos, long nowNanos) {
        Window known = window;
        long age = nowNanos - known.beganNanos;
        if (age >= WINDOW_NANOS) {
            window = new Window(nowNanos, waitedNanos, age < 2 * WINDOW_NANOS ? known.max : 0);
        } else if (waitedNanos > known.max) {
            window = new Window(known.beganNanos, waitedNanos, known.maxBefore);
        }
    }

    /** Returns the longest recent wait, in nanoseconds; 0 if no recent input waited. */
    long maxNanos(long nowNanos) {
        Window known = window;
        long age = nowNanos - known.beganNanos;
        if (age >= 2 * WINDOW_NANOS) {
            return 0;
        }
        return age >= WINDOW_NANOS ? known.max : Math.max(known.max, known.maxBefore);
    }
}
