package dev.doyen.stores.quorum;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import dev.doyen.log.FaultLog;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Implements {@link RaftTime} with its own thread. The thread continues after a task that throws. */
final class RaftThread implements RaftTime, AutoCloseable {

    private final FaultLog faults = new FaultLog(System.getLogger("dev.doyen.stores.quorum"));
    private final ScheduledThreadPoolExecutor thread;
    private final long start = System.nanoTime();

    RaftThread(String name) {
        thread = new ScheduledThreadPoolExecutor(1, task -> {
            var made = new Thread(task, name);
            made.setDaemon(true);
            return made;
        });
        thread.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        thread.setRemoveOnCancelPolicy(true);
    }

    @Override
    public long nanos() {
        return System.nanoTime() - start;
    }

    @Override
    public void execute(Runnable task) {
        Timer unused = start(Duration.ZERO, task);
    }

    @Override
    public void submit(Runnable task) {
        Timer unused = start(Duration.ZERO, task);
    }

    @Override
    public void schedule(Runnable task, long delay, TimeUnit unit) {
        Timer unused = start(Duration.ofNanos(unit.toNanos(delay) / FACTOR), task);
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        return start(delay, task);
    }

    /** Returns the number of tasks that have not started yet. */
    int waiting() {
        return thread.getQueue().size();
    }

    @Override
    public void close() {
        thread.shutdown();
    }

    private Timer start(Duration delay, Runnable task) {
        try {
            ScheduledFuture<?> started = thread.schedule(
                    () -> faults.survives("a task of the Raft thread", task), delay.toNanos(), NANOSECONDS);
            return () -> started.cancel(false);
        } catch (RejectedExecutionException e) {
            // The member or client was closed. Every caller that waits for this task has a time limit.
            return () -> {};
        }
    }
}
