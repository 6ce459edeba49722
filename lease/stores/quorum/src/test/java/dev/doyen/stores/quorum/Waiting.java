package dev.doyen.stores.quorum;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.assertj.core.api.Assertions;

/** Polls for conditions that no event announces. */
final class Waiting {

    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private Waiting() {}

    /** Waits until the condition is true, and fails after a minute. */
    static void until(String what, BooleanSupplier condition) {
        long start = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - start > PATIENCE_NANOS) {
                Assertions.fail("not true within a minute: " + what);
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }
}
