package dev.doyen.elector.reload;

import dev.doyen.log.FaultLog;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Runs a task periodically on a separate thread, even after failures.
 *
 * <p>The class logs each kind of failure only once. After the task has succeeded, the class logs failures again.
 *
 * <p>Threads: any.
 */
public final class RepeatedTask implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(RepeatedTask.class.getName());
    private static final long STOP_SECONDS = 5;

    private final FaultLog faults = new FaultLog(LOG);
    private final String name;
    private final Work work;
    private final AtomicBoolean isRequested = new AtomicBoolean();
    private final ScheduledExecutorService thread;

    /** A task that may throw checked exceptions. */
    public interface Work {
        void run() throws IOException, InterruptedException;
    }

    /**
     * Starts the thread, which runs the task at once for the first time.
     *
     * @param name the name of the thread, and the subject of the log messages about failures
     * @param period the time from the end of a run to the next run
     */
    public RepeatedTask(String name, Duration period, Work work) {
        this.name = name;
        thread = new ScheduledThreadPoolExecutor(1, task -> {
            var made = new Thread(task, name);
            made.setDaemon(true);
            return made;
        });
        this.work = work;
        thread.scheduleWithFixedDelay(this::run, 0, period.toMillis(), TimeUnit.MILLISECONDS);
    }

    /**
     * Runs the task once more soon, in addition to the periodic runs. Further calls have no effect until this run
     * begins.
     */
    public void runNow() {
        if (!isRequested.getAndSet(true)) {
            try {
                thread.execute(this::runRequested);
            } catch (RejectedExecutionException e) {
                LOG.log(Level.DEBUG, name + " has ended", e);
            }
        }
    }

    /** Interrupts the task, and waits at most 5 s for the end of the task. */
    @Override
    public void close() {
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                LOG.log(Level.WARNING, name + " did not end within " + STOP_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void runRequested() {
        isRequested.set(false);
        run();
    }

    /**
     * Runs the task and catches every throwable.
     *
     * <p>An exception must not reach the scheduler, because a scheduler never repeats a task that has thrown.
     */
    private void run() {
        try {
            work.run();
            faults.works(name);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            faults.survives("a line of the log", () -> complain(e));
        }
    }

    private void complain(Throwable fault) {
        if (faults.isNew(name, fault)) {
            LOG.log(Level.WARNING, name + " failed and is tried again: " + fault.getMessage(), fault);
        }
    }
}
