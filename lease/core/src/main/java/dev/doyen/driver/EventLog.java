package dev.doyen.driver;

import dev.doyen.election.Threads;
import dev.doyen.event.ElectionEvent;
import dev.doyen.log.FaultLog;
import dev.doyen.log.LineLimiter;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Writes log lines in order, on a callback thread.
 *
 * <p>An appender of the logging library is user code. If the appender is slow or hangs, it must not delay the renewal
 * or the release of a lease (rule L8). At most {@value #MAX_WAITING} lines wait. The log drops further lines, and
 * reports their number.
 *
 * <p>Threads: any. No method that logs throws or waits.
 */
public final class EventLog {

    /**
     * The maximum number of waiting lines. This limit suffices if 100,000 elections each log one line at the same time.
     */
    static final int MAX_WAITING = 100_000;

    /** The time after which a rate-limited log reports how many lines it has left out. */
    static final long REPORT_SECONDS = 10;

    private static final System.Logger LOG = System.getLogger("dev.doyen");

    private final Threads threads;
    private final Deque<Line> waiting = new ArrayDeque<>(1);
    private final FaultLog faults = new FaultLog(LOG);
    private final @Nullable LineLimiter limiter;
    private boolean reporting;
    private boolean writing;
    private long dropped;

    public EventLog(Threads threads) {
        this(threads, null);
    }

    private EventLog(Threads threads, @Nullable LineLimiter limiter) {
        this.threads = threads;
        this.limiter = limiter;
    }

    /**
     * Returns a log that leaves out lines above the rate of {@link LineLimiter}, except faults.
     *
     * <p>While the log leaves out lines, it reports their number every {@value #REPORT_SECONDS} s. The report contains
     * one number for each kind of event, one for each cause of a lost leadership, and one for each level of the other
     * lines.
     */
    static EventLog limited(Threads threads) {
        return new EventLog(threads, new LineLimiter(threads.now().nanos()));
    }

    /** Logs a line about an election. Throws nothing, and never waits. */
    public void log(Level level, String election, Object what) {
        log(level, election, what, null);
    }

    /**
     * Logs a line about a candidate. Throws nothing, and never waits.
     *
     * @param candidate the id of the candidate; empty if the line concerns no candidate
     */
    void logOfCandidate(Level level, String election, String candidate, Object what) {
        queueSafely(level, election, candidate, what, null);
    }

    /**
     * Logs a fault of this program or of the code that it calls. Throws nothing.
     *
     * <p>Logs each kind of fault once, with its stack trace, because the same fault can repeat many times.
     *
     * @param election the name of the election; empty if the fault concerns no election
     * @param what the part that failed, without details that vary
     */
    public void fault(String election, String what, Throwable thrown) {
        try {
            if (faults.isNew(election + "\n" + what, thrown)) {
                log(
                        Level.ERROR,
                        election,
                        what + "; the program continues. Further faults of this kind are not logged",
                        thrown);
            }
        } catch (Throwable logFailed) {
            // The memory can be exhausted. The caller must continue.
        }
    }

    /**
     * Runs one part of a loop. Logs an exception or error of this part and does not rethrow it (rule L8).
     *
     * @param what the name of the part, without details that vary
     * @return true if the part threw nothing
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

    /**
     * Logs a line about an election. Throws nothing, and never waits.
     *
     * @param thrown the exception or error whose stack trace follows the line; null for none
     */
    public void log(Level level, String election, Object what, @Nullable Throwable thrown) {
        queueSafely(level, election, "", what, thrown);
    }

    private void queueSafely(Level level, String election, String candidate, Object what, @Nullable Throwable thrown) {
        try {
            queue(level, election, candidate, what, thrown);
        } catch (Throwable logFailed) {
            // The logging library is user code, the memory can be exhausted, or no thread can be started. The caller
            // must continue.
        }
    }

    private void queue(Level level, String election, String candidate, Object what, @Nullable Throwable thrown) {
        if (!LOG.isLoggable(level)) {
            return;
        }
        if (limiter != null
                && thrown == null
                && !limiter.permits(kind(level, what), threads.now().nanos())) {
            reportLater();
            return;
        }
        add(new Line(level, election, candidate, what, thrown));
    }

    private static String kind(Level level, Object what) {
        if (what instanceof ElectionEvent.Lost lost) {
            return "Lost " + lost.cause();
        }
        return what instanceof ElectionEvent ? what.getClass().getSimpleName() : level.name();
    }

    /** Schedules the report of the lines left out, unless a report is already scheduled. */
    private void reportLater() {
        synchronized (waiting) {
            if (reporting) {
                return;
            }
            reporting = true;
        }
        boolean set = false;
        try {
            threads.at(threads.now().nanos() + TimeUnit.SECONDS.toNanos(REPORT_SECONDS), this::reportLeftOut);
            set = true;
        } finally {
            if (!set) {
                notReporting();
            }
        }
    }

    private void notReporting() {
        synchronized (waiting) {
            reporting = false;
        }
    }

    private void reportLeftOut() {
        notReporting();
        if (limiter != null) {
            limiter.takeLeftOut().ifPresent(sentence -> add(Line.ofLog(sentence)));
        }
    }

    private void add(Line line) {
        synchronized (waiting) {
            if (waiting.size() >= MAX_WAITING) {
                dropped++;
                return;
            }
            waiting.addLast(line);
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

    /** Marks the writing task as stopped. The next line starts this task again. */
    private void stopped() {
        synchronized (waiting) {
            writing = false;
        }
    }

    private @Nullable Line next() {
        synchronized (waiting) {
            if (dropped > 0) {
                String sentence = dropped + " lines were dropped, because the log was too slow";
                dropped = 0;
                return Line.ofLog(sentence);
            }
            Line next = waiting.pollFirst();
            writing = next != null;
            return next;
        }
    }

    /** @param what the immutable object that the line describes; the writing thread formats it */
    private record Line(
            Level level,
            String election,
            String candidate,
            Object what,
            @Nullable Throwable thrown) {

        /** Returns a line about this log itself. */
        static Line ofLog(String sentence) {
            return new Line(Level.WARNING, "", "", sentence, null);
        }

        void write() {
            String of = (election.isEmpty() ? "" : "election=" + election + " ")
                    + (candidate.isEmpty() ? "" : "candidate=" + candidate + " ");
            LOG.log(level, of + (what instanceof ElectionEvent event ? EventSentence.of(event) : what), thrown);
        }
    }
}
