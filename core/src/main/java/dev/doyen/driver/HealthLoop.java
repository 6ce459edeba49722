package dev.doyen.driver;

import dev.doyen.lease.HealthJudge;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks a health check again and again, and says when the judgement changes.
 *
 * <p>Threads: the check runs on a thread for callbacks, everything else on the loop thread. A check that hangs holds
 * that one thread, and counts as no each time it should have been asked again.
 */
public final class HealthLoop {

    private final Threads threads;
    private final BooleanSupplier check;
    private final Duration every;
    private final Consumer<Boolean> changed;
    private final EventLog log;
    private final AtomicBoolean asking = new AtomicBoolean();
    private HealthJudge judge;
    private Threads.@Nullable Timer timer;
    private boolean ended;

    /** Whether the check has thrown since it last returned; on the thread that asks. */
    private volatile boolean throwing;

    /** @param changed told, on the loop thread, when the judgement changes; it begins with "not well" */
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
        threads.loop(this::ask);
    }

    public void end() {
        threads.loop(() -> {
            ended = true;
            if (timer != null) {
                timer.cancel();
            }
        });
    }

    private void ask() {
        if (ended) {
            return;
        }
        timer = threads.at(threads.now().nanos() + every.toNanos(), this::ask);
        if (asking.compareAndSet(false, true)) {
            boolean taken = false;
            try {
                threads.callback(() -> {
                    boolean yes = isWell();
                    asking.set(false);
                    threads.loop(() -> hear(yes));
                });
                taken = true;
            } finally {
                if (!taken) {
                    asking.set(false);
                }
            }
        } else {
            hear(false);
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
                CallbackQueue.guarded(() -> log.say(
                        Level.WARNING,
                        "",
                        "a health check failed, which counts as no; further failures are not logged until it returns",
                        e));
            }
            return false;
        }
    }

    private void hear(boolean yes) {
        HealthJudge next = judge.hearing(yes);
        if (next.well() != judge.well()
                && !ended
                && !log.survives("", "a change of health", () -> changed.accept(next.well()))) {
            // The candidate does not have the change. The next answer repeats it.
            return;
        }
        judge = next;
    }
}
