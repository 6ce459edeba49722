package dev.doyen.store.support;

import dev.doyen.election.Threads;
import dev.doyen.log.FaultLog;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Runs tasks after a delay on one daemon thread, for stores that restart failed watches.
 *
 * <p>The constructor starts the thread, because a later start of the thread could fail. An exception or error of a task
 * does not end the thread.
 *
 * <p>Threads: any.
 */
public final class LaterThread implements AutoCloseable {

    private final ScheduledThreadPoolExecutor thread;
    private final FaultLog faults;

    /** @param faults the log for exceptions and errors of tasks */
    public LaterThread(String name, FaultLog faults) {
        this.faults = faults;
        ThreadFactory factory = task -> {
            var made = new Thread(task, name);
            made.setDaemon(true);
            return made;
        };
        thread = new ScheduledThreadPoolExecutor(1, factory);
        thread.setRemoveOnCancelPolicy(true);
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        thread.prestartAllCoreThreads();
    }

    /**
     * Runs {@code task} after {@code delay}, unless the timer is cancelled or this object is closed before that time.
     */
    public Threads.Timer after(Duration delay, String what, Runnable task) {
        try {
            Runnable guarded = () -> faults.survives(what, task);
            ScheduledFuture<?> scheduled = thread.schedule(guarded, delay.toNanos(), TimeUnit.NANOSECONDS);
            return () -> scheduled.cancel(false);
        } catch (RejectedExecutionException e) {
            // This object is closed, so the task never runs.
            return () -> {};
        }
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
