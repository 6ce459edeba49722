package dev.doyen.stores.quorum;

import io.microraft.executor.RaftNodeExecutor;
import io.microraft.impl.task.LeaderElectionTimeoutTask;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/**
 * Runs the tasks of MicroRaft's node and adds a random delay to election timeouts.
 *
 * <p>MicroRaft 0.7 adds a random delay of at most 10 ms of real time. If a request for votes takes longer than this
 * delay, two candidates could split the votes again and again.
 *
 * <p>Threads: any may call the methods. MicroRaft schedules election timeouts only on the thread of {@link RaftTime},
 * so only this thread draws random numbers.
 */
final class ElectionTimeouts implements RaftNodeExecutor {

    /**
     * The maximum added delay, in milliseconds of the {@link RaftClock}, which runs faster than real time. This delay
     * is long compared with the time that a member needs to vote and to flush its vote.
     */
    static final int SPREAD_MILLIS = 2_000;

    private final RaftTime time;
    private final Random random;

    ElectionTimeouts(RaftTime time, Random random) {
        this.time = time;
        this.random = random;
    }

    @Override
    public void execute(Runnable task) {
        time.execute(task);
    }

    @Override
    public void submit(Runnable task) {
        time.submit(task);
    }

    @Override
    public void schedule(Runnable task, long delay, TimeUnit unit) {
        if (task instanceof LeaderElectionTimeoutTask) {
            time.schedule(task, unit.toMillis(delay) + random.nextInt(SPREAD_MILLIS), TimeUnit.MILLISECONDS);
        } else {
            time.schedule(task, delay, unit);
        }
    }
}
