package dev.doyen;

import java.lang.System.Logger.Level;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The work of one term: at most one task, and the listeners. Ends by latch, interrupt and waiting, in this order, and
 * says once that all is quiet: then, and not before, the lease may be given back (rule L6).
 */
final class TermScope {

    private static final System.Logger LOG = System.getLogger("dev.doyen");

    private final String election;
    private final Leadership leadership;
    private final Runnable resignAndWait;
    private final LongConsumer quiet;

    private @Nullable Thread worker;
    private boolean ended;
    private boolean interrupted;
    private boolean listenersDone;

    /** @param quiet told the term, once, when it has ended and nothing works under it any more */
    TermScope(String election, Leadership leadership, Runnable resignAndWait, LongConsumer quiet) {
        this.election = election;
        this.leadership = leadership;
        this.resignAndWait = resignAndWait;
        this.quiet = quiet;
    }

    /**
     * Runs the task on this thread.
     *
     * @return true if it came to its end while leading; false if the term ended first, however the task ended
     */
    <X extends Exception> boolean run(Candidate.LeaderTask<X> task) throws X, InterruptedException {
        synchronized (this) {
            if (ended) {
                return false;
            }
            worker = Thread.currentThread();
        }
        boolean returned = false;
        boolean lost;
        try {
            task.run(leadership);
            returned = true;
        } catch (Exception e) {
            if (!hasEnded()) {
                throw e;
            }
            if (!(e instanceof InterruptedException || e instanceof NotLeaderException)) {
                LOG.log(
                        Level.WARNING,
                        "election=" + election + " the task of term " + leadership.term()
                                + " failed after the leadership was lost",
                        e);
            }
        } finally {
            lost = workEnded();
            if (!lost) {
                // The task is done, or failed: either way this candidate has no more use for the lease.
                resignAndWait.run();
            }
        }
        return returned && !lost;
    }

    /** The term is over: nothing starts under it any more, and what runs is interrupted. */
    synchronized void end() {
        ended = true;
        if (worker != null) {
            interrupted = true;
            worker.interrupt();
        }
    }

    /** The listeners have heard of the end, and have returned. */
    void listenersDone() {
        boolean now;
        synchronized (this) {
            listenersDone = true;
            now = worker == null;
        }
        if (now) {
            quiet.accept(leadership.term());
        }
    }

    private synchronized boolean hasEnded() {
        return ended;
    }

    /** Returns whether the term had ended before the work did. */
    private boolean workEnded() {
        boolean lost;
        boolean now;
        synchronized (this) {
            worker = null;
            if (interrupted && Thread.interrupted()) {
                // Our own interrupt, which reached the task too late to be seen: it is not the caller's.
                interrupted = false;
            }
            // A task that saw its time run out may be here before the loop has said so.
            lost = ended || !leadership.isCertain();
            now = ended && listenersDone;
        }
        if (now) {
            quiet.accept(leadership.term());
        }
        return lost;
    }
}
