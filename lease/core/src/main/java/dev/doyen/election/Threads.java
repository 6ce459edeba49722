package dev.doyen.election;

import dev.doyen.event.Moment;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The threads, timers and clocks that loops use, real or controlled by a test.
 *
 * <p>Any number of loops may share one {@code Threads} object.
 */
public interface Threads extends AutoCloseable {

    /** Reads both clocks. */
    Moment now();

    /**
     * Runs {@code task} on the loop thread, after earlier tasks. Returns false if the task cannot run, for example
     * after {@link #close}.
     */
    boolean loop(Runnable task);

    /** Runs {@code task} on the loop thread when the monotonic clock reaches {@code nanos}, or soon after. */
    Timer at(long nanos, Runnable task);

    /**
     * Runs {@code call}, which may block, on a thread for store calls.
     *
     * <p>Returns false and runs nothing if all threads for store calls are busy, if no thread can be started, or after
     * {@link #close}. The number of these threads is limited, because a store that hangs would otherwise occupy more
     * and more threads.
     */
    boolean store(Runnable call);

    /**
     * Runs {@code callback}, which is user code, on a thread for callbacks.
     *
     * <p>If no thread is available now, the callback waits for a thread.
     */
    void callback(Runnable callback);

    /**
     * Waits until {@code done} completes, but no longer than {@code atMost}. Returns true if {@code done} has
     * completed, normally or exceptionally.
     *
     * <p>The calling thread must not be the loop thread.
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

    /**
     * Stops accepting tasks. Running tasks continue to their end and are not interrupted. Callbacks that were accepted
     * before this call still run. Later callbacks are dropped.
     */
    @Override
    void close();

    /** A timer that can be cancelled. */
    interface Timer {
        void cancel();
    }
}
