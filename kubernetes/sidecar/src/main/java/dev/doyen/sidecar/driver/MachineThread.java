package dev.doyen.sidecar.driver;

import dev.doyen.log.FaultLog;
import java.lang.System.Logger.Level;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The thread that owns the sidecar's state machines. It processes one input after another.
 *
 * <p>If an input throws, the thread logs the fault and continues with the next input.
 *
 * <p>Threads: any. But this thread itself must not call {@link #putAndWait}, because it would wait for itself.
 */
final class MachineThread {

    /** The longest time for which a caller waits for one input, in seconds. */
    static final long MAX_WAIT_SECONDS = 5;

    private static final System.Logger LOG = System.getLogger("dev.doyen");

    private final FaultLog faults = new FaultLog(LOG);
    private final String election;
    private final ScheduledThreadPoolExecutor executor;

    /**
     * Starts the thread.
     *
     * @param election the name of the election, for the log
     */
    MachineThread(String election) {
        this.election = election;
        this.executor = new ScheduledThreadPoolExecutor(
                1,
                task -> {
                    var own = new Thread(task, "doyen-sidecar");
                    own.setDaemon(true);
                    return own;
                },
                new ThreadPoolExecutor.DiscardPolicy());
        // Start the thread now, because the system is possibly unable to start a thread later. The thread never ends
        // early.
        executor.prestartAllCoreThreads();
    }

    /** Enqueues an input. */
    void put(Runnable input) {
        executor.execute(() -> survives("an input", input));
    }

    /**
     * Enqueues an input, and waits at most {@link #MAX_WAIT_SECONDS} until it has been processed. If the input has not
     * been processed by then, the method logs a warning.
     */
    void putAndWait(Runnable input) {
        var processed = new CompletableFuture<Void>();
        put(() -> {
            try {
                input.run();
            } finally {
                processed.complete(null);
            }
        });
        await(processed);
    }

    /**
     * Waits at most {@link #MAX_WAIT_SECONDS} for a future. If the future has failed or has not completed by then, the
     * method logs a warning.
     */
    void await(CompletableFuture<Void> future) {
        try {
            future.get(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.log(Level.WARNING, "election=" + election + " an input was not processed in time", e);
        }
    }

    /** Processes an input after a delay. */
    void putAfter(Runnable input, long delay, TimeUnit unit) {
        ScheduledFuture<?> unused = executor.schedule(() -> survives("an input", input), delay, unit);
    }

    /**
     * Processes an input repeatedly, even after a fault. A scheduler itself does not repeat a task after an exception.
     *
     * @param what the name of the input in the log
     */
    void repeat(String what, Runnable input, long everyMillis) {
        ScheduledFuture<?> unused =
                executor.scheduleWithFixedDelay(() -> survives(what, input), 0, everyMillis, TimeUnit.MILLISECONDS);
    }

    /** Runs a part of an input. Returns false if the part threw; the log reports the fault. */
    boolean survives(String what, Runnable part) {
        return faults.survives("election=" + election + " " + what, part);
    }

    /** Logs the fault of a part of an input, once for each kind of fault. */
    void report(String what, Throwable fault) {
        faults.report("election=" + election + " " + what, fault);
    }

    /** Stops the thread. Inputs that remain, and later inputs, have no effect. */
    void stop() {
        executor.shutdownNow();
    }
}
