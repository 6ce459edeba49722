package dev.doyen.driver;

import dev.doyen.election.Threads;
import dev.doyen.health.HealthJudge;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs a health check periodically, and reports when the health changes.
 *
 * <p>Threads: any thread may call {@link #start} and {@link #end}. The check runs on a callback thread. The loop thread
 * processes the results. A check that hangs occupies one callback thread, and counts as a failure each time the next
 * check is due.
 */
public final class HealthLoop {

    private final Threads threads;
    private final BooleanSupplier check;
    private final Duration every;
    private final Consumer<Boolean> changed;
    private final EventLog log;
    private final AtomicBoolean checking = new AtomicBoolean();
    private HealthJudge judge;
    private Threads.@Nullable Timer timer;
    private boolean ended;

    /** True if the check has thrown since it last returned. Only the thread that runs the check uses this field. */
    private volatile boolean throwing;

    /**
     * @param changed the callback that runs on the loop thread when the health changes; the initial health is
     *     unhealthy
     */
    public HealthLoop(
            Threads threads, BooleanSupplier check, Duration every, HealthJudge judge, Consumer<Boolean> changed) {
        this.threads = threads;
        this.check = check;
        this.every = every;
        this.judge = judge;
        this.changed = changed;
        this.log = new EventLog(threads);
    }

    public void start() {
        threads.loop(this::check);
    }

    public void end() {
        threads.loop(() -> {
            ended = true;
            if (timer != null) {
                timer.cancel();
            }
        });
    }

    private void check() {
        if (ended) {
            return;
        }
        timer = Timers.at(threads, log, threads.now().nanos() + every.toNanos(), this::check);
        if (checking.compareAndSet(false, true)) {
            boolean taken = false;
            try {
                threads.callback(() -> {
                    boolean yes = isWell();
                    checking.set(false);
                    threads.loop(() -> checked(yes));
                });
                taken = true;
            } finally {
                if (!taken) {
                    checking.set(false);
                }
            }
        } else {
            checked(false);
        }
    }

    private boolean isWell() {
        try {
            boolean well = check.getAsBoolean();
            throwing = false;
            return well;
        } catch (Throwable e) {
            if (!throwing) {
                throwing = true;
                log.log(
                        Level.WARNING,
                        "",
                        "a health check threw an exception and counts as unhealthy; further exceptions are not"
                                + " logged until it returns",
                        e);
            }
            return false;
        }
    }

    private void checked(boolean yes) {
        HealthJudge next = judge.after(yes);
        if (next.well() != judge.well()
                && !ended
                && !log.survives("", "a change of health", () -> changed.accept(next.well()))) {
            // The callback failed. Keep the old health, so that the next answer of the check reports the change again.
            return;
        }
        judge = next;
    }
}
