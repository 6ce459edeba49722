package dev.doyen.store.support;

import dev.doyen.log.FaultLog;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Runs tasks after a delay on one daemon thread, for stores that retry their watches.
 *
 * <p>The constructor starts the thread, because a process may be unable to start one when it needs it. The thread
 * survives whatever a task throws.
 *
 * <p>Threads: any.
 */
public final class LaterThread implements AutoCloseable {

    private final ScheduledThreadPoolExecutor thread;
    private final FaultLog faults;

    /** @param faults logs what tasks throw */
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

    /** Runs {@code task} after {@code delay}; never, if this is closed first. */
    public void after(Duration delay, String what, Runnable task) {
        try {
            Runnable guarded = () -> faults.survives(what, task);
            ScheduledFuture<?> unused = thread.schedule(guarded, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // Closed.
        }
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
