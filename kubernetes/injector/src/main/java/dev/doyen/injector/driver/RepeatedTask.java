package dev.doyen.injector.driver;

import dev.doyen.log.FaultLog;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs a task periodically on a separate thread, even after failures.
 *
 * <p>It logs each kind of failure once, until the task succeeds again.
 */
final class RepeatedTask implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(RepeatedTask.class.getName());
    private static final long STOP_SECONDS = 5;

    private final FaultLog faults = new FaultLog(LOG);

    private final ScheduledExecutorService thread;

    /** The task. */
    interface Work {
        void run() throws IOException, InterruptedException;
    }

    RepeatedTask(String name, Duration period, Work work) {
        thread = new ScheduledThreadPoolExecutor(1, task -> {
            var made = new Thread(task, name);
            made.setDaemon(true);
            return made;
        });
        thread.scheduleWithFixedDelay(() -> run(name, work), 0, period.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Interrupts the task and waits up to 5 s for its end. */
    @Override
    public void close() {
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                LOG.log(Level.WARNING, "a request to the API server did not end");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Runs the task and catches everything.
     *
     * <p>A scheduler never repeats a task that has thrown.
     */
    private void run(String name, Work work) {
        try {
            work.run();
            faults.works(name);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            faults.survives("a line of the log", () -> complain(name, e));
        }
    }

    private void complain(String name, Throwable fault) {
        if (faults.isNew(name, fault)) {
            LOG.log(Level.WARNING, name + " failed, and is tried again: " + fault.getMessage(), fault);
        }
    }
}
