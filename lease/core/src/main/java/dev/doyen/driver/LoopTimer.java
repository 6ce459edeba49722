package dev.doyen.driver;

import dev.doyen.election.Threads;
import org.jspecify.annotations.Nullable;

/** The one timer of a loop: it wakes the loop at the time that the last step asked for. Loop thread only. */
public final class LoopTimer {

    private final Threads threads;
    private final Runnable woken;
    private Threads.@Nullable Timer timer;
    private long timerAtNanos;

    /** @param woken runs on the loop thread when the time has come */
    public LoopTimer(Threads threads, Runnable woken) {
        this.threads = threads;
        this.woken = woken;
    }

    /**
     * Replaces the time at which the loop is woken.
     *
     * @param atNanos on the monotonic clock; {@link Long#MAX_VALUE} for never
     */
    public void set(long atNanos) {
        if (timer != null && timerAtNanos == atNanos) {
            return;
        }
        cancel();
        timerAtNanos = atNanos;
        timer = atNanos == Long.MAX_VALUE
                ? null
                : threads.at(atNanos, () -> {
                    timer = null;
                    woken.run();
                });
    }

    /** Ends the timer. */
    public void cancel() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
