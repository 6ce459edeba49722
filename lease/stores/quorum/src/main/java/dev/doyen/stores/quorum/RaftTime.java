package dev.doyen.stores.quorum;

import io.microraft.executor.RaftNodeExecutor;
import java.time.Duration;

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
    void after(Duration delay, Runnable task);
}
