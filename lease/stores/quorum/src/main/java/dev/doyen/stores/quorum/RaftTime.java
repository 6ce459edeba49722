package dev.doyen.stores.quorum;

import io.microraft.executor.RaftNodeExecutor;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The single thread of a member or client (the Raft thread), with its clock.
 *
 * <p>MicroRaft counts heartbeats and timeouts in whole seconds. To make the timeouts shorter, MicroRaft's clock and
 * timers run {@value #FACTOR} times as fast as real time. One second of MicroRaft is 100 ms of real time. Only
 * {@link RaftClock} and {@link #schedule} use MicroRaft's time.
 *
 * <p>Threads: any may call the methods. The tasks run one at a time.
 */
interface RaftTime extends RaftNodeExecutor {

    int FACTOR = 10;

    /** Returns the real time in nanoseconds from an arbitrary origin. The time never goes back. */
    long nanos();

    /** Runs a task after a delay in real time. */
    Timer after(Duration delay, Runnable task);

    /**
     * Runs a task after a delay in real time, unless the future completes earlier. When the future completes, the timer
     * ends, so the timer and the task use no memory any longer.
     */
    default void unlessDone(CompletableFuture<?> future, Duration delay, Runnable task) {
        Timer timer = after(delay, task);
        Futures.ignore(future.whenComplete((result, failure) -> timer.cancel()));
    }

    /** The timer of a task that has not run yet. */
    interface Timer {

        /** Ends the timer and forgets its task. Does nothing if the task has run. */
        void cancel();
    }
}
