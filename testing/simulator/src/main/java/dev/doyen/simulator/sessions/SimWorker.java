package dev.doyen.simulator.sessions;

import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A blocking thread of a simulated process, such as a thread that calls {@code whileLeading}.
 *
 * <p>The worker runs only while the simulation waits in {@link #resume}. So only one thread runs at a time, and each
 * run of a seed is identical.
 *
 * <p>Threads: the worker itself calls {@link #current} and {@link #suspend}. Both the worker and the simulation call
 * {@link #isInterrupted}. The simulation calls the other methods.
 */
final class SimWorker {

    private static final Executor POOL = new ThreadPoolExecutor(
            0, Integer.MAX_VALUE, 1, TimeUnit.SECONDS, new SynchronousQueue<>(), PoolThread::new);
    private static final ThreadLocal<@Nullable SimWorker> CURRENT = new ThreadLocal<>();

    private final Semaphore mayRun = new Semaphore(0);
    private final Semaphore hasStopped = new Semaphore(0);
    private final Runnable task;
    private @Nullable PoolThread thread;
    private @Nullable Throwable failure;
    private boolean ended;
    private boolean killed;

    /**
     * Creates the worker.
     *
     * @param task the code of the thread; it blocks only in {@link #suspend}
     */
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

    /** Runs the worker until it suspends itself or ends. Rethrows the exception that the worker's task has thrown. */
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
     * @throws Killed if the process of this worker has crashed
     */
    void suspend() {
        if (!killed) {
            var present = (PoolThread) Thread.currentThread();
            present.storeInterrupt();
            hasStopped.release();
            mayRun.acquireUninterruptibly();
            present.restoreInterrupt();
        }
        if (killed) {
            throw new Killed();
        }
    }

    /** Ends the worker after a crash of its process. The worker only unwinds its stack. */
    void kill() {
        killed = true;
        if (thread == null) {
            ended = true;
        }
        resume();
    }

    boolean isInterrupted() {
        PoolThread present = thread;
        return !ended && present != null && present.isInterrupted();
    }

    private void run() {
        thread = (PoolThread) Thread.currentThread();
        CURRENT.set(this);
        try {
            task.run();
        } catch (Killed e) {
            // This error is expected after a crash of the process.
        } catch (RuntimeException | Error e) {
            failure = e;
        } finally {
            CURRENT.remove();
            ended = true;
            Thread.interrupted();
            hasStopped.release();
        }
    }

    /**
     * A thread of the pool.
     *
     * <p>If an interrupt wakes a waiting thread, the JDK clears the interrupt status of the thread until the wait ends.
     * The simulation would read the status before or after that, depending on real time. So the status of a suspended
     * worker is in a field of this class.
     */
    private static final class PoolThread extends Thread {
        private boolean suspended;
        private boolean interrupted;

        PoolThread(Runnable task) {
            super(task, "simulated");
            setDaemon(true);
        }

        @Override
        public void interrupt() {
            if (suspended) {
                interrupted = true;
            } else {
                super.interrupt();
            }
        }

        @Override
        public boolean isInterrupted() {
            return suspended ? interrupted : super.isInterrupted();
        }

        /** Moves the interrupt status into the field. Called on this thread before it is suspended. */
        void storeInterrupt() {
            interrupted = Thread.interrupted();
            suspended = true;
        }

        /** Moves the interrupt status back. Called on this thread after it has been suspended. */
        void restoreInterrupt() {
            suspended = false;
            if (interrupted) {
                super.interrupt();
            }
        }
    }

    /** Thrown in a worker whose process has crashed. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1;

        Killed() {
            super("the simulated process has died", null, false, false);
        }
    }
}
