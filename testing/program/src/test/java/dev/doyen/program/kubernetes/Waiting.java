package dev.doyen.program.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits for conditions. */
final class Waiting {

    /** The limit of a wait. Only a failing test waits this long. */
    private static final Duration SOON = Duration.ofSeconds(90);

    private Waiting() {}

    /**
     * Waits until the condition is true.
     *
     * @param what the description of the condition; evaluated at each check, so that it can contain the present state
     */
    static void until(Supplier<String> what, BooleanSupplier happened) throws InterruptedException {
        long start = System.nanoTime();
        while (!happened.getAsBoolean()) {
            assertThat(Duration.ofNanos(System.nanoTime() - start))
                    .as(what.get())
                    .isLessThan(SOON);
            new Semaphore(0).tryAcquire(5, TimeUnit.MILLISECONDS);
        }
    }
}
