package dev.doyen.jvms;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/**
 * Waits for a condition in another process by polling every 2 ms.
 *
 * <p>The other process cannot notify the test.
 */
public final class Patience {

    private static final long BETWEEN_NANOS = 2_000_000;

    private final Duration bound;

    public Patience(Duration bound) {
        this.bound = bound;
    }

    /**
     * Waits until the condition holds.
     *
     * @param what the description of the condition in the message of the error
     * @throws AssertionError if the condition does not hold within the bound
     */
    public <X extends Exception> void await(String what, Condition<X> condition) throws X {
        long begin = System.nanoTime();
        while (!condition.holds()) {
            if (System.nanoTime() - begin > bound.toNanos()) {
                throw new AssertionError("waited for " + bound + ": " + what);
            }
            LockSupport.parkNanos(BETWEEN_NANOS);
        }
    }

    /** A condition that is polled. */
    public interface Condition<X extends Exception> {
        boolean holds() throws X;
    }
}
