package dev.doyen.driver;

import dev.doyen.event.Moment;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Where loops run: the port between what is to be done and the threads and clocks of a real process, or of a test.
 * May be shared by any number of loops.
 */
public interface Threads extends AutoCloseable {

    /** Both clocks, read now. */
    Moment now();

    /** Runs {@code task} on the loop thread, after those given before. Returns false and runs nothing after {@link #close}. */
    boolean loop(Runnable task);

    /** Runs {@code task} on the loop thread when the monotonic clock reaches {@code nanos}, or soon after. */
    Timer at(long nanos, Runnable task);

    /**
     * Runs {@code call}, which may block, on a thread kept for store calls. Returns false and runs nothing if all of
     * those are busy, because a store that hangs must not get more threads without end, or if no thread can be started.
     */
    boolean store(Runnable call);

    /**
     * Runs {@code callback}, which is foreign code and may do anything, on a thread kept for that. If no thread can be
     * started, the callback waits until one can.
     */
    void callback(Runnable callback);

    /**
     * Waits on the calling thread, which is none of these, until {@code done} completes or this much time has passed.
     * Returns whether it has completed, normally or not.
     */
    default boolean await(CompletableFuture<?> done, Duration atMost) throws InterruptedException {
        try {
            done.get(atMost.toNanos(), TimeUnit.NANOSECONDS);
            return true;
        } catch (ExecutionException | CancellationException e) {
            return true;
        } catch (TimeoutException e) {
            return false;
        }
    }

    /** Stops taking work. What runs goes on to its end; nothing is interrupted. */
    @Override
    void close();

    /** A timer that can be called off. */
    interface Timer {
        void cancel();
    }
}
