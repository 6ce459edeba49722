package dev.doyen.driver;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Runs callbacks one after the other, in order, never two at a time, whatever thread they are given on. A callback that
 * throws is logged and the next one runs.
 *
 * <p>The queue needs no bound of its own: a machine falls silent after {@code Lost} until its callbacks have run, and
 * what may repeat before that ({@code Jeopardy}, {@code Recovered}, {@code LeaderChanged}) is given as
 * {@linkplain #offerLatest the latest of its kind}.
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

    /** Runs {@code callback} after all given before. */
    public void offer(Runnable callback) {
        add(new Entry("", callback));
    }

    /** The same, in place of the last waiting one if that has the same {@code kind}: only the news counts. */
    public void offerLatest(String kind, Runnable callback) {
        synchronized (waiting) {
            Entry last = waiting.peekLast();
            if (last != null && last.kind.equals(kind)) {
                waiting.removeLast();
            }
        }
        add(new Entry(kind, callback));
    }

    /** True on the thread that runs callbacks of this queue, while it runs one. */
    public boolean isCurrentThread() {
        synchronized (waiting) {
            return Thread.currentThread().equals(runner);
        }
    }

    /** Runs foreign code. Logs what it throws, and throws nothing itself. */
    public static void guarded(Runnable callback) {
        try {
            callback.run();
        } catch (Throwable e) {
            try {
                LOG.log(Level.ERROR, "a listener failed; the others go on", e);
            } catch (Throwable logFailed) {
                // An appender is foreign code too, and memory may be short. The next callback matters more.
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
