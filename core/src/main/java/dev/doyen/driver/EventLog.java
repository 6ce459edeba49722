package dev.doyen.driver;

import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Writes to the log in order, on a thread for callbacks: an appender is somebody else's code, and one that is slow or
 * hangs must not keep a lease from being renewed or given back (rule L8).
 *
 * <p>At most {@value #MAX_WAITING} lines wait. Beyond that they are counted and left out, and that is said.
 */
final class EventLog {

    /** A process whose hundred thousand elections are decided at once has something to say of each. */
    static final int MAX_WAITING = 100_000;

    private static final System.Logger LOG = System.getLogger("dev.doyen");

    private final Threads threads;
    private final Deque<Line> waiting = new ArrayDeque<>(1);
    private boolean writing;
    private long leftOut;

    EventLog(Threads threads) {
        this.threads = threads;
    }

    /** Takes one line about an election; never waits. */
    void say(Level level, String election, Object what) {
        say(level, election, what, null);
    }

    void say(Level level, String election, Object what, @Nullable Throwable thrown) {
        if (!LOG.isLoggable(level)) {
            return;
        }
        synchronized (waiting) {
            if (waiting.size() >= MAX_WAITING) {
                leftOut++;
                return;
            }
            waiting.addLast(new Line(level, election, what, thrown));
            if (writing) {
                return;
            }
            writing = true;
        }
        threads.callback(this::write);
    }

    private void write() {
        for (Line line = next(); line != null; line = next()) {
            Line present = line;
            CallbackQueue.guarded(present::write);
        }
    }

    private @Nullable Line next() {
        synchronized (waiting) {
            if (leftOut > 0) {
                String sentence = leftOut + " lines were left out, because the log took them too slowly";
                leftOut = 0;
                return new Line(Level.WARNING, "", sentence, null);
            }
            Line next = waiting.pollFirst();
            writing = next != null;
            return next;
        }
    }

    /** @param what said by its {@code toString}, which is called when the line is written: give what does not change */
    private record Line(
            Level level,
            String election,
            Object what,
            @Nullable Throwable thrown) {
        void write() {
            LOG.log(level, (election.isEmpty() ? "" : "election=" + election + " ") + what, thrown);
        }
    }
}
