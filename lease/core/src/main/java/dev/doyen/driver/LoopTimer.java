package dev.doyen.driver;

import dev.doyen.election.Threads;
import org.jspecify.annotations.Nullable;

/**
 * The only timer of a loop. The timer wakes the loop at the time that the last step has requested. Only the loop
 * thread uses this class.
 */
public final class LoopTimer {

    private final Threads threads;
    private final Runnable woken;
    private Threads.@Nullable Timer timer;
    private long timerAtNanos;

    /** @param woken the action that runs on the loop thread at the set time */
    public LoopTimer(Threads threads, Runnable woken) {
        this.threads = threads;
        this.woken = woken;
    }

    /**
     * Replaces the time at which the loop is woken.
     *
     * @param atNanos the time on the monotonic clock, in nanoseconds; {@link Long#MAX_VALUE} for never
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

    public void cancel() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }
}
