package dev.doyen.stores.quorum;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** The thread and the clock of one process of a {@link QuorumWorld}. */
final class WorldTime implements RaftTime {

    private final WorldHost host;
    private final int incarnation;

    WorldTime(WorldHost host) {
        this.host = host;
        this.incarnation = host.incarnation();
    }

    @Override
    public void execute(Runnable task) {
        host.later(incarnation, 0, task);
    }

    @Override
    public void submit(Runnable task) {
        host.later(incarnation, 0, task);
    }

    @Override
    public void schedule(Runnable task, long delay, TimeUnit unit) {
        host.later(incarnation, unit.toMillis(delay) / FACTOR, task);
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        var isCancelled = new AtomicBoolean();
        host.later(incarnation, delay.toMillis(), () -> {
            if (!isCancelled.get()) {
                task.run();
            }
        });
        return () -> isCancelled.set(true);
    }

    @Override
    public long nanos() {
        return TimeUnit.MILLISECONDS.toNanos(host.world().now());
    }
}
