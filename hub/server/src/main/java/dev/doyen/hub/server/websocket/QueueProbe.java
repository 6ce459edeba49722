package dev.doyen.hub.server.websocket;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;

/**
 * Detects that a thread hangs, or is far behind with its queue.
 *
 * <p>Each call of {@link #isProcessed} also queues a task, unless an earlier task waits. So the result is true until
 * a task has waited for the maximum time. Threads: any.
 */
final class QueueProbe {

    private final Executor queue;
    private final LongSupplier nanos;
    private final long maxNanos;
    private boolean isWaiting;
    private long queuedAt;

    /**
     * Creates a probe.
     *
     * @param nanos a monotonic clock, in nanoseconds
     * @param max the maximum time that a task may wait
     */
    QueueProbe(Executor queue, LongSupplier nanos, Duration max) {
        this.queue = queue;
        this.nanos = nanos;
        this.maxNanos = max.toNanos();
    }

    /** Returns false if a task of this probe has waited longer than the maximum time. */
    synchronized boolean isProcessed() {
        if (isWaiting) {
            return nanos.getAsLong() - queuedAt <= maxNanos;
        }
        queuedAt = nanos.getAsLong();
        try {
            queue.execute(this::processed);
            // If the task already runs, it waits until this method has released the lock.
            isWaiting = true;
        } catch (RejectedExecutionException e) {
            // The thread has ended, so the program shuts down.
        }
        return true;
    }

    /** Returns how long the probe's task has waited, in nanoseconds; 0 if no task waits. */
    synchronized long waitingNanos() {
        return isWaiting ? nanos.getAsLong() - queuedAt : 0;
    }

    private synchronized void processed() {
        isWaiting = false;
    }
}
