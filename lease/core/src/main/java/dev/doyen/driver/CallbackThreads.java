package dev.doyen.driver;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The threads for user code: as many as there are callbacks, at most {@value #MAX}.
 *
 * <p>All but one end after they have been idle for a while. A callback waits while all threads are busy, or while the
 * process cannot start one. Each candidate has at most one callback and one health check here. So the queue is never
 * longer than twice the number of candidates, plus the futures that callers wait for.
 */
final class CallbackThreads {

    /** The most callbacks that run at a time. If all of them hang or are slow, other callbacks wait. */
    static final int MAX = 256;

    private final ThreadPoolExecutor threads;
    private final Consumer<Runnable> later;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int running;
    private boolean retrying;

    /** @param later runs a task on another thread after a short delay, to try again to start a thread */
    CallbackThreads(ThreadFactory factory, Consumer<Runnable> later) {
        this(factory, later, 1);
    }

    /** @param kept how many threads are started at once and kept */
    CallbackThreads(ThreadFactory factory, Consumer<Runnable> later, int kept) {
        // This class enforces the limit, because a thread that has just finished does not count as idle in the pool
        // yet.
        threads = new ThreadPoolExecutor(
                kept, Integer.MAX_VALUE, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
        threads.prestartAllCoreThreads();
        this.later = later;
    }

    void run(Runnable callback) {
        synchronized (waiting) {
            waiting.addLast(callback);
        }
        startThread();
    }

    void close() {
        threads.shutdown();
    }

    private void startThread() {
        synchronized (waiting) {
            if (running == MAX || waiting.isEmpty()) {
                return;
            }
            running++;
        }
        try {
            threads.execute(this::runWaiting);
        } catch (RejectedExecutionException e) {
            // Closed: no callback runs any more.
            synchronized (waiting) {
                running--;
                waiting.clear();
            }
        } catch (Throwable e) {
            refused();
        }
    }

    /**
     * Handles that the process cannot start a thread now.
     *
     * <p>Running threads process the queue. If none runs, another attempt follows.
     */
    private void refused() {
        synchronized (waiting) {
            running--;
            if (running > 0 || retrying) {
                return;
            }
            retrying = true;
        }
        later.accept(() -> {
            synchronized (waiting) {
                retrying = false;
            }
            startThread();
        });
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
