package dev.doyen.simulator.world;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The true time and the future tasks of a run. No process can read the true time.
 *
 * <p>The agenda is a binary heap, ordered by time and then by order of entry. So each run of a seed is identical.
 *
 * <p>All times are nanoseconds since the start of the run.
 */
public final class Agenda {

    private long[] times = new long[256];
    private long[] orders = new long[256];
    private @Nullable Runnable[] tasks = new @Nullable Runnable[256];
    private int size;
    private long entries;
    private long now;

    public long now() {
        return now;
    }

    /** Returns the number of tasks that have been entered so far. */
    public long entries() {
        return entries;
    }

    public void after(long delay, Runnable task) {
        at(now + delay, task);
    }

    /** Enters a task. A task for a past time is due now. */
    public void at(long time, Runnable task) {
        if (size == times.length) {
            times = Arrays.copyOf(times, size * 2);
            orders = Arrays.copyOf(orders, size * 2);
            tasks = Arrays.copyOf(tasks, size * 2);
        }
        long due = Math.max(time, now);
        long order = entries++;
        int i = size++;
        while (i > 0) {
            int parent = (i - 1) >>> 1;
            if (!isBefore(due, order, parent)) {
                break;
            }
            move(parent, i);
            i = parent;
        }
        put(i, due, order, task);
    }

    /** Runs all tasks due up to and including {@code end}, in order. Afterwards the true time is {@code end}. */
    public void runUntil(long end) {
        while (size > 0 && times[0] <= end) {
            now = times[0];
            take().run();
        }
        now = end;
    }

    private Runnable take() {
        Runnable first = tasks[0];
        long due = times[--size];
        long order = orders[size];
        Runnable task = tasks[size];
        tasks[size] = null;
        if (first == null || (size > 0 && task == null)) {
            throw new IllegalStateException("the agenda lost a task");
        }
        if (task != null && size > 0) {
            int i = 0;
            while (true) {
                int child = 2 * i + 1;
                if (child >= size) {
                    break;
                }
                if (child + 1 < size && isBefore(times[child + 1], orders[child + 1], child)) {
                    child++;
                }
                if (isBefore(due, order, child)) {
                    break;
                }
                move(child, i);
                i = child;
            }
            put(i, due, order, task);
        }
        return first;
    }

    private boolean isBefore(long due, long order, int other) {
        return due < times[other] || (due == times[other] && order < orders[other]);
    }

    private void move(int from, int to) {
        times[to] = times[from];
        orders[to] = orders[from];
        tasks[to] = tasks[from];
    }

    private void put(int i, long due, long order, Runnable task) {
        times[i] = due;
        orders[i] = order;
        tasks[i] = task;
    }
}
