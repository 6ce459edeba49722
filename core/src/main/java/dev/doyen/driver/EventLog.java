package dev.doyen.driver;

import dev.doyen.store.FaultLog;
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
    private final FaultLog faults = new FaultLog(LOG);
    private boolean writing;
    private long leftOut;

    EventLog(Threads threads) {
        this.threads = threads;
    }

    /** Takes one line about an election; never waits. */
    void say(Level level, String election, Object what) {
        say(level, election, what, null);
    }

    /**
     * Takes a fault of this program or of the code that it calls. Logs each kind once, with its stack, because what
     * fails once often fails a thousand times. Throws nothing, because callers have a fault to survive already.
     *
     * @param election its name; empty if the fault concerns none
     * @param what what failed, without details that differ from time to time
     */
    void fault(String election, String what, Throwable thrown) {
        CallbackQueue.guarded(() -> {
            if (faults.isNew(election + "\n" + what, thrown)) {
                say(Level.ERROR, election, what + "; going on. Further faults of this kind are not logged", thrown);
            }
        });
    }

    /**
     * Runs one part of a loop. Nothing that it throws ends the loop (rule L8).
     *
     * @param what the part, without details that differ from time to time
     * @return whether it threw nothing
     */
    boolean survives(String election, String what, Runnable part) {
        try {
            part.run();
            return true;
        } catch (Throwable e) {
            fault(election, what + " failed", e);
            return false;
        }
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

    /** The next line starts the writing again. */
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
