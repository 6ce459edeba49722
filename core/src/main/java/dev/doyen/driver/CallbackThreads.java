package dev.doyen.driver;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Threads for somebody else's code: as many as have something to run, {@value #MAX} at most, none after a while. What
 * finds all of them taken waits its turn; each candidate has at most one callback and one health check in here, so
 * the line is never longer than twice the candidates, and what waits to be completed for callers.
 */
final class CallbackThreads {

    /** So many callbacks may hang, or be slow, before those of other candidates wait for them. */
    static final int MAX = 256;

    private final ThreadPoolExecutor threads;
    private final Deque<Runnable> waiting = new ArrayDeque<>();
    private int running;

    CallbackThreads(ThreadFactory factory) {
        // The bound is kept here and not by the pool: a thread that has just ended its work is not yet one to be had.
        threads = new ThreadPoolExecutor(0, Integer.MAX_VALUE, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), factory);
    }

    void run(Runnable callback) {
        synchronized (waiting) {
            waiting.addLast(callback);
            if (running == MAX) {
                return;
            }
            running++;
        }
        try {
            threads.execute(this::runWaiting);
        } catch (RejectedExecutionException e) {
            // Closed: nobody is called back any more.
            synchronized (waiting) {
                running--;
                waiting.clear();
            }
        }
    }

    void close() {
        threads.shutdown();
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
