package dev.doyen.jvms;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/** Waits for what other processes do, which cannot call back: looks every 2 ms. */
public final class Patience {

    private static final long BETWEEN_NANOS = 2_000_000;

    private final Duration bound;

    public Patience(Duration bound) {
        this.bound = bound;
    }

    /** Throws {@link AssertionError} with what was waited for if it is not so within the bound. */
    public <X extends Exception> void await(String what, Condition<X> condition) throws X {
        long begin = System.nanoTime();
        while (!condition.holds()) {
            if (System.nanoTime() - begin > bound.toNanos()) {
                throw new AssertionError("waited for " + bound + ": " + what);
            }
            LockSupport.parkNanos(BETWEEN_NANOS);
        }
    }

    /** Something that is looked at. */
    public interface Condition<X extends Exception> {
        boolean holds() throws X;
    }
}
