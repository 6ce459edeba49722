package dev.doyen.testkit;

import dev.doyen.event.Moment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Clocks that a test moves, and the tasks that run at their times.
 *
 * <p>A task runs at once, on the thread that submits it, so nothing is left when the call returns.
 *
 * <p>Threads: any. Tasks of loops run one at a time, under a lock. Only a test that passes time blocks on that lock.
 * Callbacks are foreign code and may wait for another thread, so they run outside the lock. A callback runs on the
 * thread that caused it, or on one that passes time. No other thread may run it, because the callback may wait for the
 * task of that thread.
 */
final class VirtualTime {

    private static final long WALL_MILLIS_AT_ZERO = 1_700_000_000_000L;

    private final ReentrantLock loops = new ReentrantLock();
    private final Deque<Runnable> loopTasks = new ArrayDeque<>();
    private final List<Callback> callbacks = new ArrayList<>();
    private final PriorityQueue<Timer> timers = new PriorityQueue<>();
    private long nanos = 1_000_000_000L;
    private long timersMade;

    synchronized Moment now() {
        // Derived from the nanoseconds, so that the wall clock does not lag when time passes in parts of a millisecond.
        return new Moment(nanos, WALL_MILLIS_AT_ZERO + nanos / 1_000_000);
    }

    /** Runs {@code work} after the work of the same kind that was submitted before. */
    void run(boolean isCallback, Runnable work) {
        synchronized (this) {
            if (isCallback) {
                callbacks.add(new Callback(Thread.currentThread(), work));
            } else {
                loopTasks.add(work);
            }
        }
        if (!loops.isHeldByCurrentThread()) {
            runReady(false);
        }
    }

    synchronized Timer at(long atNanos, Runnable work) {
        var timer = new Timer(atNanos - nanos > 0 ? atNanos : nanos, timersMade++, work);
        timers.add(timer);
        return timer;
    }

    /** Passes this much time on both clocks, and runs every task at its time. */
    void pass(Duration time) {
        long end;
        synchronized (this) {
            end = nanos + time.toNanos();
        }
        settle();
        for (Timer due = nextUntil(end); due != null; due = nextUntil(end)) {
            if (!due.cancelled) {
                run(false, due.work);
            }
            settle();
        }
        moveTo(end);
    }

    /** Runs everything that is ready. Blocks while another thread does so. */
    void settle() {
        runReady(true);
    }

    private void runReady(boolean wait) {
        while (true) {
            if (!(wait ? lock() : loops.tryLock())) {
                // The thread that holds the lock looks again after it has released it.
                return;
            }
            try {
                for (Runnable next = nextLoopTask(); next != null; next = nextLoopTask()) {
                    next.run();
                }
            } finally {
                loops.unlock();
            }
            if (hasLoopTasks()) {
                continue;
            }
            // Only now, because another thread may have found the lock taken and left a loop task.
            Optional<Callback> callback = nextCallback(wait);
            if (callback.isEmpty()) {
                return;
            }
            callback.get().work.run();
        }
    }

    private boolean lock() {
        loops.lock();
        return true;
    }

    private synchronized @Nullable Runnable nextLoopTask() {
        return loopTasks.pollFirst();
    }

    private synchronized boolean hasLoopTasks() {
        return !loopTasks.isEmpty();
    }

    private synchronized Optional<Callback> nextCallback(boolean anybodys) {
        Optional<Callback> next = callbacks.stream()
                .filter(each -> anybodys || each.cause.equals(Thread.currentThread()))
                .findFirst();
        next.ifPresent(callbacks::remove);
        return next;
    }

    private synchronized @Nullable Timer nextUntil(long end) {
        Timer next = timers.peek();
        if (next == null || next.at - end > 0) {
            return null;
        }
        moveTo(next.at);
        return timers.remove();
    }

    private synchronized void moveTo(long atNanos) {
        if (atNanos - nanos > 0) {
            nanos = atNanos;
        }
    }

    /** @param cause the thread whose call caused the callback */
    private record Callback(Thread cause, Runnable work) {}

    /** A task that runs later, unless it is cancelled. */
    static final class Timer implements Comparable<Timer> {
        private final long at;
        private final long order;
        private final Runnable work;
        private volatile boolean cancelled;

        private Timer(long at, long order, Runnable work) {
            this.at = at;
            this.order = order;
            this.work = work;
        }

        void cancel() {
            cancelled = true;
        }

        @Override
        public int compareTo(Timer other) {
            int byTime = Long.compare(at - other.at, 0);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }
}
