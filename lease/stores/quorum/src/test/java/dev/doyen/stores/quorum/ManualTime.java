package dev.doyen.stores.quorum;

import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.TimeUnit;

/** A clock that advances only in {@link #run}, which also runs the due tasks in order. Threads: one. */
final class ManualTime implements RaftTime {

    private record Task(long at, long number, Runnable action) {}

    private final PriorityQueue<Task> tasks =
            new PriorityQueue<>(Comparator.comparingLong(Task::at).thenComparingLong(Task::number));
    private long now;
    private long numbers;

    /** Advances the clock and runs the tasks that become due. */
    void run(Duration duration) {
        long end = now + duration.toNanos();
        while (!tasks.isEmpty() && tasks.peek().at <= end) {
            Task task = tasks.poll();
            now = task.at;
            task.action.run();
        }
        now = end;
    }

    /** Returns the number of tasks that have not run yet. */
    int waiting() {
        return tasks.size();
    }

    @Override
    public long nanos() {
        return now;
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        var added = new Task(now + delay.toNanos(), numbers++, task);
        tasks.add(added);
        return () -> tasks.remove(added);
    }

    @Override
    public void execute(Runnable task) {
        after(Duration.ZERO, task);
    }

    @Override
    public void submit(Runnable task) {
        after(Duration.ZERO, task);
    }

    @Override
    public void schedule(Runnable task, long delay, TimeUnit unit) {
        after(Duration.ofNanos(unit.toNanos(delay) / FACTOR), task);
    }
}
