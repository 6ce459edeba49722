package dev.doyen.driver;

import dev.doyen.election.Threads;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Runs callbacks in order and one at a time. Their threads may differ.
 *
 * <p>A callback that throws is logged, and the next one runs.
 *
 * <p>The queue needs no limit. After {@code Lost} a machine reports nothing until its callbacks have run. Events that
 * may repeat before that ({@code Jeopardy}, {@code Recovered}, {@code LeaderChanged}) use {@link #offerLatest}.
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

    /** Runs {@code callback} after all earlier ones. */
    public void offer(Runnable callback) {
        add(new Entry("", callback));
    }

    /** Runs {@code callback} after all earlier ones. Replaces the last waiting one if it has the same {@code kind}. */
    public void offerLatest(String kind, Runnable callback) {
        synchronized (waiting) {
            Entry last = waiting.peekLast();
            if (last != null && last.kind.equals(kind)) {
                waiting.removeLast();
            }
        }
        add(new Entry(kind, callback));
    }

    /** Returns true if the calling thread is running a callback of this queue. */
    public boolean isCurrentThread() {
        synchronized (waiting) {
            return Thread.currentThread().equals(runner);
        }
    }

    /** Runs user code. Logs what it throws, and throws nothing. */
    public static void guarded(Runnable callback) {
        try {
            callback.run();
        } catch (Throwable e) {
            try {
                LOG.log(Level.ERROR, "a listener failed; the others go on", e);
            } catch (Throwable logFailed) {
                // A log appender is user code too, and memory may be short. The next callback matters more.
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
