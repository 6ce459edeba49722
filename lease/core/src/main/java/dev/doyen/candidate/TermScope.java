package dev.doyen.candidate;

import dev.doyen.election.Leadership;
import dev.doyen.election.LocalCandidate;
import dev.doyen.election.NotLeaderException;
import java.lang.System.Logger.Level;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The work of one term: at most one task, and the calls of the listeners.
 *
 * <p>When the term ends, the scope marks itself as ended for good, and interrupts the task. After the task and the
 * listeners have returned, the scope reports once that all work of the term has stopped. The lease may be released only
 * after this report (rule L6).
 *
 * <p>If the task ends while the candidate leads, the candidate resigns the term.
 */
public final class TermScope<L extends Leadership> {

    private static final System.Logger LOG = System.getLogger("dev.doyen");

    private final String election;
    private final L leadership;
    private final long term;
    private final LongConsumer resignAndWait;
    private final LongConsumer quiet;

    private @Nullable Thread worker;
    private boolean ended;
    private boolean interrupted;
    private boolean listenersDone;

    /**
     * @param term the number of the term
     * @param resignAndWait the action that receives the number of a term, resigns this term if the candidate still
     *     leads in it, and waits for a limited time until the resignation has been carried out
     * @param quiet the callback that receives the number of the term once, after the term has ended and all its work
     *     has stopped
     */
    public TermScope(String election, L leadership, long term, LongConsumer resignAndWait, LongConsumer quiet) {
        this.election = election;
        this.leadership = leadership;
        this.term = term;
        this.resignAndWait = resignAndWait;
        this.quiet = quiet;
    }

    /**
     * Runs the task on this thread, unless the term is lost already.
     *
     * @return true if the task returned while the candidate led; false if the term was lost before the end of the task,
     *     however the task ended
     * @throws X if the task throws X while the candidate leads. After the loss of the term, the method rethrows no
     *     exception of the task, except an {@link InterruptedException} that this scope has not caused. The method
     *     always rethrows an {@link Error}
     */
    <X extends Exception> boolean run(LocalCandidate.LeaderTask<? super L, X> task) throws X, InterruptedException {
        boolean lost = true;
        try {
            if (begin()) {
                task.run(leadership);
                lost = isLost();
            }
        } catch (Exception e) {
            lost = isLost();
            if (!lost || isInterruptByOthers(e)) {
                throw e;
            }
            logAfterLoss(e);
        } finally {
            if (!workEnded()) {
                // The loop has not ended the term. Either the task ended while the candidate led, or the deadline had
                // passed and the loop had not noticed it yet. In the second case, a renewal can have moved the deadline
                // since then. The term must end in both cases, because its work has ended.
                resignAndWait.accept(term);
            }
        }
        return !lost;
    }

    /** Ends the scope. The scope starts no further task and interrupts the running task. */
    synchronized void end() {
        ended = true;
        if (worker != null) {
            interrupted = true;
            worker.interrupt();
        }
    }

    /** Called after the listeners have returned from {@code lost}. */
    void listenersDone() {
        boolean now;
        synchronized (this) {
            listenersDone = true;
            now = worker == null;
        }
        if (now) {
            quiet.accept(term);
        }
    }

    private synchronized boolean begin() {
        if (isLost()) {
            return false;
        }
        worker = Thread.currentThread();
        return true;
    }

    /** Returns true if the loop has ended the term, or if the deadline has passed. */
    private synchronized boolean isLost() {
        return ended || !leadership.isCertain();
    }

    private synchronized boolean isInterruptByOthers(Exception thrown) {
        return thrown instanceof InterruptedException && !interrupted;
    }

    /** Marks the task as ended. Returns true if the loop has ended the term. */
    private boolean workEnded() {
        boolean latched;
        boolean now;
        synchronized (this) {
            now = worker != null && ended && listenersDone;
            worker = null;
            if (interrupted) {
                // If the task has not consumed the interrupt that this scope sent, clear it for the caller.
                Thread.interrupted();
            }
            latched = ended;
        }
        if (now) {
            quiet.accept(term);
        }
        return latched;
    }

    private void logAfterLoss(Exception thrown) {
        if (!(thrown instanceof InterruptedException || thrown instanceof NotLeaderException)) {
            LOG.log(
                    Level.WARNING,
                    "election=" + election + " the task of term " + term + " failed after the leadership was lost",
                    thrown);
        }
    }
}
