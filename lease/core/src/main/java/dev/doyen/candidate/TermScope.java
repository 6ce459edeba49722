package dev.doyen.candidate;

import dev.doyen.election.Leadership;
import dev.doyen.election.LocalCandidate;
import dev.doyen.election.NotLeaderException;
import java.lang.System.Logger.Level;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The work of one term: at most one task, and the listeners.
 *
 * <p>The scope ends in this order: it latches the end, interrupts the task, and waits. It reports once that nothing
 * works under the term any more. Only then may the lease be released (rule L6).
 *
 * <p>If the task has ended, the candidate resigns the term unless it is lost already. So no candidate leads in a term
 * whose work has ended.
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
     * @param resignAndWait resigns the term of this number if the candidate still leads in it, and waits for a limited
     *     time
     * @param quiet receives the term's number, once, when the term has ended and nothing works under it any more
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
     * @return true if the task returned while leading; false if the term was lost first, however the task ended
     * @throws X if the task throws it while leading. What it throws after a loss is only logged
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
                // The loop has not ended the term: the task is done, or it saw the deadline pass before the loop did.
                // By the clocks the term may even be certain again. It must end all the same, because it has no work.
                resignAndWait.accept(term);
            }
        }
        return !lost;
    }

    /** The term has ended: the scope starts nothing more and interrupts the running task. */
    synchronized void end() {
        ended = true;
        if (worker != null) {
            interrupted = true;
            worker.interrupt();
        }
    }

    /** The listeners have returned from {@code lost}. */
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

    /** By the clocks the term may be lost before the loop has ended it. */
    private synchronized boolean isLost() {
        return ended || !leadership.isCertain();
    }

    private synchronized boolean isInterruptByOthers(Exception thrown) {
        return thrown instanceof InterruptedException && !interrupted;
    }

    /** Returns whether the loop has ended the term. */
    private boolean workEnded() {
        boolean latched;
        boolean now;
        synchronized (this) {
            now = worker != null && ended && listenersDone;
            worker = null;
            if (interrupted) {
                // Clear our own interrupt if the task did not consume it: it is not meant for the caller.
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
