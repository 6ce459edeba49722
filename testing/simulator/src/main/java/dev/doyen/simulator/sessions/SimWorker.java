package dev.doyen.simulator.sessions;

import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a simulated process that may block, such as one that calls {@code whileLeading}.
 *
 * <p>It runs only while the simulation waits in {@link #resume}. So only one thread runs at a time, and a run repeats
 * exactly.
 *
 * <p>Threads: the worker itself calls {@link #suspend}; the simulation calls everything else.
 */
final class SimWorker {

    private static final Executor POOL =
            new ThreadPoolExecutor(0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), task -> {
                var thread = new Thread(task, "simulated");
                thread.setDaemon(true);
                return thread;
            });
    private static final ThreadLocal<@Nullable SimWorker> CURRENT = new ThreadLocal<>();

    private final Semaphore mayRun = new Semaphore(0);
    private final Semaphore hasStopped = new Semaphore(0);
    private final Runnable task;
    private @Nullable Thread thread;
    private @Nullable Throwable failure;
    private boolean ended;
    private boolean killed;

    /** @param task the code of the thread; it blocks only in {@link #suspend} */
    SimWorker(Runnable task) {
        this.task = task;
    }

    /**
     * Returns the worker of the current thread.
     *
     * @throws IllegalStateException on any other thread
     */
    static SimWorker current() {
        SimWorker worker = CURRENT.get();
        if (worker == null) {
            throw new IllegalStateException("only a worker may wait; this is the thread of the simulation");
        }
        return worker;
    }

    /** Runs the worker until it suspends itself or ends. Rethrows the exception of its task. */
    void resume() {
        if (ended) {
            return;
        }
        if (thread == null) {
            POOL.execute(this::run);
        } else {
            mayRun.release();
        }
        hasStopped.acquireUninterruptibly();
        Throwable thrown = failure;
        failure = null;
        if (thrown instanceof Error error) {
            throw error;
        }
        if (thrown instanceof RuntimeException exception) {
            throw exception;
        }
    }

    /**
     * Stops the calling worker until {@link #resume}.
     *
     * @throws Killed if its process has died
     */
    void suspend() {
        if (!killed) {
            hasStopped.release();
            mayRun.acquireUninterruptibly();
        }
        if (killed) {
            throw new Killed();
        }
    }

    /** Ends the worker after the death of its process. The worker only unwinds its stack. */
    void kill() {
        killed = true;
        if (thread == null) {
            ended = true;
        }
        resume();
    }

    boolean isInterrupted() {
        Thread present = thread;
        return !ended && present != null && present.isInterrupted();
    }

    private void run() {
        thread = Thread.currentThread();
        CURRENT.set(this);
        try {
            task.run();
        } catch (Killed e) {
            // Expected after the death of the process.
        } catch (RuntimeException | Error e) {
            failure = e;
        } finally {
            CURRENT.remove();
            ended = true;
            Thread.interrupted();
            hasStopped.release();
        }
    }

    /** Thrown in a worker of a process that has died. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1;

        Killed() {
            super("the simulated process has died", null, false, false);
        }
    }
}
