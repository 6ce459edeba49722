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
 * Clocks that a test moves, and what is to run at their times. What is handed over runs at once, on the thread that
 * hands it over, so that nothing is left when a call returns.
 *
 * <p>Threads: any. What belongs to loops runs one at a time, under a lock; callbacks, which are somebody else's code and
 * may wait for another thread, run outside it, each on the thread that caused it, or on one that lets time pass: a task
 * in a thread of its own must not be given one that waits for that very task. Nobody waits for the lock but a test that
 * lets time pass.
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
        // Made from the nanoseconds, so that the wall clock does not fall behind when time passes in parts of a
        // millisecond.
        return new Moment(nanos, WALL_MILLIS_AT_ZERO + nanos / 1_000_000);
    }

    /** Runs {@code work}, after what was handed over before of its kind. */
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

    /** Lets this much time pass on both clocks, running what falls due on the way, at its time. */
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

    /** Runs what is ready, and waits while another thread does. */
    void settle() {
        runReady(true);
    }

    private void runReady(boolean wait) {
        while (true) {
            if (!(wait ? lock() : loops.tryLock())) {
                // Whoever holds it looks again after letting go.
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
            // Only now, when no loop's task was left to us by a thread that found the lock taken.
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

    /** @param cause the thread whose call led to it */
    private record Callback(Thread cause, Runnable work) {}

    /** Something to run later, unless it is called off. */
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
