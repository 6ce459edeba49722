package dev.doyen.image.driver;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits for a program that has just been started. */
final class Waiting {

    private static final long AT_MOST_MILLIS = 60_000;
    private static final long LOOK_AGAIN_MILLIS = 20;

    private Waiting() {}

    /**
     * Returns the remaining time of a wait in milliseconds. The wait started at {@code startNanos} of
     * {@link System#nanoTime}.
     */
    static long leftMillis(long startNanos) {
        return AT_MOST_MILLIS - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNanos);
    }

    /**
     * Waits at most 60 s until the condition holds. An {@link IOException} counts as false.
     *
     * @throws IllegalStateException if the condition does not hold in time
     */
    static void until(String what, Callable<Boolean> seen) throws Exception {
        long start = System.nanoTime();
        while (!isTrue(seen)) {
            if (leftMillis(start) <= 0) {
                throw new IllegalStateException("waited " + AT_MOST_MILLIS / 1000 + " s, and still not: " + what);
            }
            TimeUnit.MILLISECONDS.sleep(LOOK_AGAIN_MILLIS);
        }
    }

    private static boolean isTrue(Callable<Boolean> seen) throws Exception {
        try {
            return seen.call();
        } catch (IOException e) {
            return false;
        }
    }
}
