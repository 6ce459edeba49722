package dev.doyen.driver;

import dev.doyen.election.Threads;
import dev.doyen.log.FaultLog;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Writes log lines in order, on a callback thread.
 *
 * <p>An appender is user code. One that is slow or hangs must not delay the renewal or the release of a lease (rule
 * L8). At most {@value #MAX_WAITING} lines wait. The log drops further lines, and reports how many.
 */
public final class EventLog {

    /** Enough for one line about each of 100,000 elections that change at once. */
    static final int MAX_WAITING = 100_000;

    private static final System.Logger LOG = System.getLogger("dev.doyen");

    private final Threads threads;
    private final Deque<Line> waiting = new ArrayDeque<>(1);
    private final FaultLog faults = new FaultLog(LOG);
    private boolean writing;
    private long leftOut;

    public EventLog(Threads threads) {
        this.threads = threads;
    }

    /** Logs a line about an election. Never waits. */
    public void log(Level level, String election, Object what) {
        log(level, election, what, null);
    }

    /**
     * Logs a fault of this program or of the code that it calls. Throws nothing.
     *
     * <p>Logs each kind of fault once, with its stack trace, because a fault often repeats a thousand times.
     *
     * @param election its name; empty if the fault concerns no election
     * @param what what failed, without details that vary
     */
    public void fault(String election, String what, Throwable thrown) {
        CallbackQueue.guarded(() -> {
            if (faults.isNew(election + "\n" + what, thrown)) {
                log(Level.ERROR, election, what + "; going on. Further faults of this kind are not logged", thrown);
            }
        });
    }

    /**
     * Runs one part of a loop. Nothing that it throws ends the loop (rule L8).
     *
     * @param what the part, without details that vary
     * @return true if it threw nothing
     */
    public boolean survives(String election, String what, Runnable part) {
        try {
            part.run();
            return true;
        } catch (Throwable e) {
            fault(election, what + " failed", e);
            return false;
        }
    }

    public void log(Level level, String election, Object what, @Nullable Throwable thrown) {
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
        boolean taken = false;
        try {
            threads.callback(this::write);
            taken = true;
        } finally {
            if (!taken) {
                stopped();
            }
        }
    }

    private void write() {
        boolean emptied = false;
        try {
            for (Line line = next(); line != null; line = next()) {
                CallbackQueue.guarded(line::write);
            }
            emptied = true;
        } finally {
            if (!emptied) {
                stopped();
            }
        }
    }

    /** Ends the writing. The next line starts it again. */
    private void stopped() {
        synchronized (waiting) {
            writing = false;
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

    /** @param what an immutable object; the writing thread calls its {@code toString} */
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
