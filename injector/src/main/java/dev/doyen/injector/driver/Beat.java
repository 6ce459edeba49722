package dev.doyen.injector.driver;

import dev.doyen.store.FaultLog;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Does something again and again on a thread of its own, whatever becomes of it. */
final class Beat implements AutoCloseable {

    private static final System.Logger LOG = System.getLogger(Beat.class.getName());
    private static final long STOP_SECONDS = 5;

    private final FaultLog faults = new FaultLog(LOG);

    private final ScheduledExecutorService thread;

    /** What is done at each beat. */
    interface Work {
        void run() throws IOException, InterruptedException;
    }

    Beat(String name, Duration period, Work work) {
        thread = new ScheduledThreadPoolExecutor(1, task -> {
            var made = new Thread(task, name);
            made.setDaemon(true);
            return made;
        });
        thread.scheduleWithFixedDelay(() -> run(name, work), 0, period.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Waits for what is under way, a little. */
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

    /** A task that throws, a scheduler never runs again. */
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
