package dev.doyen.driver;

import dev.doyen.election.Threads;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Runs callbacks in order and one at a time, possibly on different threads.
 *
 * <p>If a callback throws, the queue logs the exception and runs the next callback.
 *
 * <p>The queue needs no limit, because it cannot grow without end. After the event {@code Lost}, the candidate is not
 * elected again until its callbacks have run. The events {@code Jeopardy}, {@code Recovered} and {@code LeaderChanged}
 * can repeat, so {@link #offerLatest} replaces the last waiting callback if it has the same kind.
 */
public final class CallbackQueue {

    private static final System.Logger LOG = System.getLogger("dev.doyen");

    private final Threads threads;
    private final Deque<Entry> waiting = new ArrayDeque<>(1);
    private boolean running;
    private @Nullable Thread runner;

    public CallbackQueue(Threads threads) {
        this.threads = threads;
    }

    /** Runs {@code callback} after all earlier callbacks. */
    public void offer(Runnable callback) {
        add(new Entry("", callback));
    }

    /**
     * Runs {@code callback} after all earlier callbacks. Replaces the last waiting callback if it has the same
     * {@code kind}.
     */
    public void offerLatest(String kind, Runnable callback) {
        synchronized (waiting) {
            Entry last = waiting.peekLast();
            if (last != null && last.kind.equals(kind)) {
                waiting.removeLast();
            }
        }
        add(new Entry(kind, callback));
    }

    /** Returns true if no callback waits or runs. */
    public boolean isIdle() {
        synchronized (waiting) {
            return !running && waiting.isEmpty();
        }
    }

    /**
     * Returns true if the running callback waits for the calling thread: the calling thread runs the callback, or the
     * callback waits in {@link System#exit}.
     */
    public boolean waitsForCaller() {
        @Nullable Thread current;
        synchronized (waiting) {
            current = runner;
        }
        return ShutdownHook.waitsForCaller(current);
    }

    /** Runs user code and logs any exception or error of that code. Throws nothing. */
    public static void guarded(Runnable callback) {
        try {
            callback.run();
        } catch (Throwable e) {
            try {
                LOG.log(Level.ERROR, "a listener failed; the other listeners are called", e);
            } catch (Throwable logFailed) {
                // The log call can also fail, because an appender is user code and memory can be short. The queue
                // ignores this failure, so the next callback runs.
            }
        }
    }

    private void add(Entry entry) {
        synchronized (waiting) {
            waiting.addLast(entry);
            if (running) {
                return;
            }
            running = true;
        }
        boolean taken = false;
        try {
            threads.callback(this::drain);
            taken = true;
        } finally {
            if (!taken) {
                synchronized (waiting) {
                    running = false;
                }
            }
        }
    }

    private void drain() {
        while (true) {
            Entry next;
            synchronized (waiting) {
                next = waiting.pollFirst();
                runner = next == null ? null : Thread.currentThread();
                if (next == null) {
                    running = false;
                    return;
                }
            }
            guarded(next.callback);
        }
    }

    private record Entry(String kind, Runnable callback) {}
}
