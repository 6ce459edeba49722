package dev.doyen.stores.quorum;

import io.microraft.executor.RaftNodeExecutor;
import java.time.Duration;

/**
 * The one thread of a member, and its time. MicroRaft counts heartbeats and timeouts in whole seconds, so its clock and its
 * timers run {@value #FACTOR} times as fast as the world's: a second of MicroRaft is 100 ms. Only {@link RaftClock}
 * and {@link #schedule} are MicroRaft's time.
 *
 * <p>Threads: any may call. Tasks run one after the other.
 */
interface RaftTime extends RaftNodeExecutor {

    int FACTOR = 10;

    /** The time of the world in nanoseconds, from any beginning. It never goes back. */
    long nanos();

    /** Runs a task after a time of the world. */
    void after(Duration delay, Runnable task);
}
