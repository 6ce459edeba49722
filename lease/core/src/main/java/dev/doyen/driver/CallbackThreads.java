package dev.doyen.driver;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The threads for user code. Each running callback has its own thread, and at most {@value #MAX} callbacks run at a
 * time.
 *
 * <p>By default, the constructor starts one thread, and one thread stays until {@link #close} even if it is idle. Other
 * threads end after they have been idle for 30 s. A callback waits in a queue while all threads are busy, or while the
 * process cannot start a thread. The queue needs no limit. Each candidate or observer has at most one callback in the
 * queue, and each candidate has at most one health check in the queue. Each log has at most one task in the queue. Each
 * pending future of the API has at most one entry, which completes this future.
 *
 * <p>After {@link #close} the waiting callbacks still run. So a listener still receives the last events (rule L9), and
 * the futures of the API complete. Only callbacks that are submitted after the close are dropped.
 */
final class CallbackThreads {

    /** The maximum number of callbacks that run at a time. If all of them hang or are slow, other callbacks wait. */
    static final int MAX = 256;

    private final ThreadPoolExecutor threads;
    private final Consumer<Runnable> later;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int running;
    private boolean retrying;
    private boolean closed;

    /**
     * @param later the function that runs a task on another thread after a short delay; used for the next attempt to
     *     start a thread
     */
    CallbackThreads(ThreadFactory factory, Consumer<Runnable> later) {
        this(factory, later, 1);
    }

    /**
     * @param kept the number of threads that the constructor starts, and that stay until {@link #close} even if they
     *     are idle
     */
    CallbackThreads(ThreadFactory factory, Consumer<Runnable> later, int kept) {
        // The pool has no limit, because this class itself enforces #MAX. A limited pool could reject a callback,
        // because the pool still counts a thread as busy for a short time after a task.
        threads = new ThreadPoolExecutor(
                kept, Integer.MAX_VALUE, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
        threads.prestartAllCoreThreads();
        this.later = later;
    }

    /** Runs {@code callback} on a thread. After {@link #close} this method has no effect. */
    void run(Runnable callback) {
        synchronized (waiting) {
            if (!closed) {
                waiting.addLast(callback);
                startThread();
            }
        }
    }

    /**
     * Rejects further callbacks, and ends each thread when no callback waits.
     *
     * <p>If callbacks wait, no thread runs and the process cannot start a thread, the calling thread runs the
     * callbacks.
     */
    void close() {
        synchronized (waiting) {
            if (closed) {
                return;
            }
            startThread();
            closed = true;
            // The running threads still process the queue.
            threads.shutdown();
            if (running > 0) {
                return;
            }
            running++;
        }
        runWaiting();
    }

    /**
     * Starts a thread if a callback waits and the limit permits another thread. The caller holds the lock
     * {@code waiting}, so no other thread can close the pool during this call.
     */
    private void startThread() {
        if (closed || running == MAX || waiting.isEmpty()) {
            return;
        }
        try {
            threads.execute(this::runWaiting);
            running++;
        } catch (Throwable e) {
            retryLater();
        }
    }

    /**
     * Handles a failed start of a thread.
     *
     * <p>The running threads process the queue. If no thread runs, this method schedules another attempt to start a
     * thread.
     */
    private void retryLater() {
        if (running > 0 || retrying) {
            return;
        }
        retrying = true;
        try {
            later.accept(() -> {
                synchronized (waiting) {
                    retrying = false;
                    startThread();
                }
            });
        } catch (Throwable e) {
            // The callback stays in the queue. The next call of run makes another attempt.
            retrying = false;
        }
    }

    private void runWaiting() {
        for (Runnable next = next(); next != null; next = next()) {
            CallbackQueue.guarded(next);
        }
    }

    private @Nullable Runnable next() {
        synchronized (waiting) {
            Runnable next = waiting.pollFirst();
            if (next == null) {
                running--;
            }
            return next;
        }
    }
}
