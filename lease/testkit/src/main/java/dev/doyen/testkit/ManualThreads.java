package dev.doyen.testkit;

import dev.doyen.election.Threads;
import dev.doyen.event.Moment;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;

/**
 * Threads and clocks that a test controls. All tasks run on the caller's thread.
 *
 * <p>The clocks advance only in {@link #pass} and {@link #standStill}, and while a call of Doyen's API waits in {@link
 * #await}. {@link #jumpWallClock} sets only the wall clock. When {@code pass} or {@code standStill} returns, all due
 * tasks have run, unless one of these tasks called the method. The order of the tasks is the same in each run of the
 * test.
 *
 * <p>Threads: only the test's own thread.
 */
public final class ManualThreads implements Threads {

    private final Deque<Runnable> ready = new ArrayDeque<>();
    private final PriorityQueue<ManualTimer> timers = new PriorityQueue<>();
    private long nanos = 1_000_000_000L;
    private long wallAheadMillis = 1_700_000_000_000L;
    private long timersMade;
    private boolean running;
    private boolean closed;
    private boolean storeThreadsBusy;

    @Override
    public Moment now() {
        return new Moment(nanos, wallAheadMillis + nanos / 1_000_000);
    }

    /** Advances both clocks by this duration, and runs every task at its time. */
    public void pass(Duration time) {
        long end = nanos + time.toNanos();
        runReady();
        while (!timers.isEmpty() && timers.peek().at - end <= 0) {
            runNextTimer();
        }
        moveTo(end);
    }

    /** Simulates a pause of the process. Both clocks jump forward by this duration, and then the due tasks run. */
    public void standStill(Duration time) {
        moveTo(nanos + time.toNanos());
        pass(Duration.ZERO);
    }

    /** Sets the wall clock forward or back. The monotonic clock does not change. */
    public void jumpWallClock(Duration by) {
        wallAheadMillis += by.toMillis();
    }

    /** Sets whether all threads for store calls are busy with calls that hang. */
    public void storeThreadsBusy(boolean busy) {
        storeThreadsBusy = busy;
    }

    /** Runs all ready tasks, for example after a call that only queues a task. */
    public void settle() {
        runReady();
    }

    /** Returns the number of timers that are set, without the cancelled timers. */
    public long timersSet() {
        return timers.stream().filter(timer -> !timer.cancelled).count();
    }

    @Override
    public boolean loop(Runnable task) {
        return add(task);
    }

    @Override
    public Timer at(long atNanos, Runnable task) {
        var timer = new ManualTimer(Math.max(atNanos, nanos), timersMade++, task);
        if (atNanos != Long.MAX_VALUE && !closed) {
            timers.add(timer);
        }
        return timer;
    }

    @Override
    public boolean store(Runnable call) {
        return !storeThreadsBusy && add(call);
    }

    @Override
    public void callback(Runnable callback) {
        add(callback);
    }

    /**
     * Advances both clocks until {@code done} completes, or until {@code atMost} has passed.
     *
     * @throws IllegalStateException if {@code atMost} is unlimited and no timer is set, so the wait would never end
     */
    @Override
    public boolean await(CompletableFuture<?> done, Duration atMost) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        long end = nanos + Math.min(atMost.toNanos(), Long.MAX_VALUE - nanos);
        runReady();
        while (!done.isDone()) {
            if (timers.isEmpty() && end == Long.MAX_VALUE) {
                throw new IllegalStateException("a call waits for ever: no timer is left that could end its wait");
            }
            if (timers.isEmpty() || timers.peek().at - end > 0) {
                moveTo(end);
                return false;
            }
            runNextTimer();
        }
        return true;
    }

    @Override
    public void close() {
        closed = true;
        timers.clear();
    }

    private void runNextTimer() {
        ManualTimer next = timers.remove();
        moveTo(next.at);
        if (!next.cancelled) {
            ready.add(next.task);
        }
        runReady();
    }

    private boolean add(Runnable task) {
        if (closed) {
            return false;
        }
        ready.add(task);
        return true;
    }

    private void runReady() {
        if (running) {
            return;
        }
        running = true;
        try {
            while (!ready.isEmpty()) {
                ready.remove().run();
            }
        } finally {
            running = false;
        }
    }

    private void moveTo(long atNanos) {
        if (atNanos - nanos > 0) {
            nanos = atNanos;
        }
    }

    private static final class ManualTimer implements Timer, Comparable<ManualTimer> {
        private final long at;
        private final long order;
        private final Runnable task;
        private boolean cancelled;

        ManualTimer(long at, long order, Runnable task) {
            this.at = at;
            this.order = order;
            this.task = task;
        }

        @Override
        public void cancel() {
            cancelled = true;
        }

        @Override
        public int compareTo(ManualTimer other) {
            int byTime = Long.compare(at - other.at, 0);
            return byTime != 0 ? byTime : Long.compare(order, other.order);
        }
    }
}
