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
 * Virtual clocks that a test moves, and the timers and tasks of these clocks.
 *
 * <p>If no thread is running tasks of loops, a new task of a loop runs at once, on the thread that submits it.
 * Otherwise the thread that is running tasks of loops also runs the new task later.
 *
 * <p>Threads: any. Tasks of loops run one at a time, under a lock. Only {@link #pass} and {@link #settle} block on that
 * lock. Callbacks are code of the test and can wait for another thread, so they run outside the lock. A callback runs
 * on the thread that caused it, or on a thread that calls {@code pass} or {@code settle}. No other thread is allowed to
 * run the callback, because the callback possibly waits for that thread.
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
        // Compute the wall clock from the nanoseconds. So no part of a millisecond is lost when time passes in small
        // steps.
        return new Moment(nanos, WALL_MILLIS_AT_ZERO + nanos / 1_000_000);
    }

    /**
     * Runs a callback, or a task of a loop. The tasks of loops run in the order of the calls of this method. The
     * callbacks that one thread has caused also run in this order.
     */
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

    /** Advances both clocks by this duration, and runs every task at its time. */
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

    /** Runs all ready tasks and callbacks. Blocks while another thread runs tasks of loops. */
    void settle() {
        runReady(true);
    }

    private void runReady(boolean wait) {
        while (true) {
            if (!(wait ? lock() : loops.tryLock())) {
                // Another thread holds the lock. That thread checks for tasks again after it has released the lock.
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
            // Run callbacks only after the check for loop tasks. While this thread held the lock, another thread has
            // possibly added a loop task and relied on this thread to run it.
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

    private synchronized Optional<Callback> nextCallback(boolean ofAnyThread) {
        Optional<Callback> next = callbacks.stream()
                .filter(each -> ofAnyThread || each.cause.equals(Thread.currentThread()))
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

    /**
     * A callback that has not run yet.
     *
     * @param cause the thread whose call caused the callback
     */
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
