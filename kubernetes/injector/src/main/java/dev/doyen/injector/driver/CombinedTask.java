package dev.doyen.injector.driver;

import dev.doyen.elector.reload.RepeatedTask;
import dev.doyen.log.FaultLog;
import java.lang.System.Logger.Level;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Runs a task that is often requested. The task runs once for all requests within a short time.
 *
 * <p>After a failure, the class waits before it runs the task again.
 */
final class CombinedTask {

    private static final System.Logger LOG = System.getLogger(CombinedTask.class.getName());

    /** The time for which requests are collected. Requests come in bursts, for example during a rollout. */
    private static final long GATHER_MILLIS = 50;

    private final FaultLog faults = new FaultLog(LOG);
    private final ScheduledExecutorService thread;
    private final long againMillis;
    private final RepeatedTask.Work work;
    private boolean called;

    CombinedTask(ScheduledExecutorService thread, long againMillis, RepeatedTask.Work work) {
        this.thread = thread;
        this.againMillis = againMillis;
        this.work = work;
    }

    /** Requests a run of the task. The caller must run on the thread that the constructor has received. */
    void call() {
        if (!called) {
            callAfter(GATHER_MILLIS);
        }
    }

    private void callAfter(long millis) {
        try {
            thread.schedule(this::run, millis, TimeUnit.MILLISECONDS);
            called = true;
        } catch (RejectedExecutionException e) {
            LOG.log(Level.DEBUG, "stopped meanwhile");
        }
    }

    private void run() {
        called = false;
        try {
            work.run();
            faults.works("");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (Throwable e) {
            callAfter(againMillis);
            faults.survives("a line of the log", () -> complain(e));
        }
    }

    private void complain(Throwable fault) {
        if (faults.isNew("", fault)) {
            LOG.log(
                    Level.WARNING,
                    fault.getMessage() + "; the next attempt follows every " + againMillis + " ms",
                    fault);
        }
    }
}
