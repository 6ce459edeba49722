package dev.doyen.election;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A candidate that campaigns in this process until it is closed.
 *
 * <p>It also campaigns again after it has lost a leadership.
 *
 * <p>Threads: any. A method that returns a future never blocks. {@link #whileLeading} and {@link #close} block.
 *
 * @param <L> the leadership that this kind of election gives
 */
public interface LocalCandidate<L extends Leadership> extends Candidate<L> {

    /**
     * Runs {@code task} on this thread whenever this candidate leads.
     *
     * <p>Returns when the task has ended, or after the candidate was closed.
     *
     * <p>Waits until this candidate leads, then starts the task. If the leadership is lost while the task runs, this
     * method interrupts the task, waits until it has ended, and starts it again in the next term. The candidate
     * releases the lease only after the task has ended (rule L6).
     *
     * <p>The candidate leads only while it works. If this method ends for any other reason than a close, the candidate
     * resigns its term. This holds for a return, an exception, an {@link Error} and an interrupt, also while this
     * method still waits for a term. The candidate then does not campaign until this method or {@link #resume} is
     * called, and {@link #explain} returns {@link dev.doyen.event.Explanation.Reason#WITHOUT_TASK}. If it led, it also
     * waits for the cooldown of {@link #resign()}. A candidate for which this method was never called campaigns without
     * a task.
     *
     * <p>A task that ignores the interrupt delays the release. Another candidate leads all the same: a lease that the
     * candidate renews by itself expires, and a lease of {@link Elections} is released one ttl after the loss. So check
     * {@link Leadership#isCertain} in long loops. Set a time limit for calls that an interrupt does not end, such as
     * reads of a {@code java.net.Socket} and calls of most JDBC drivers.
     *
     * <p>Threads: any, one at a time. Blocks. After the task has ended while leading, this method waits until the lease
     * is released, for one ttl at most. On a ring it waits for the duration of the leader lease at most.
     *
     * @return true if the task returned while leading, after resigning; false if the candidate was closed first
     * @throws InterruptedException if another thread interrupts the calling thread; the candidate has resigned
     * @throws X if the task throws it while leading; the candidate has resigned. If the leadership was lost before, the
     *     exception is only logged, and the task starts again in the next term. An {@link Error} is always thrown
     * @throws IllegalStateException if a task is already running for this candidate
     */
    <X extends Exception> boolean whileLeading(LeaderTask<? super L, X> task) throws X, InterruptedException;

    /**
     * Steps down if leading, and does not campaign for the cooldown of the election's settings.
     *
     * <p>The candidate stops the work, waits until it has stopped, and then releases the lease. The cooldown lets
     * another candidate win. The future completes after the release, never exceptionally. If the store does not answer
     * the release, the future completes one ttl after the work has stopped. Never blocks.
     */
    CompletableFuture<Void> resign();

    /**
     * Resigns as {@link #resign()} does, with this cooldown.
     *
     * @param cooldown 0 to 1 h
     * @throws IllegalArgumentException if the cooldown is out of these bounds
     */
    CompletableFuture<Void> resign(Duration cooldown);

    /**
     * Hands over to the candidate of this id, if leading. Otherwise does nothing.
     *
     * <p>The successor does not wait, and its cooldown ends. The other candidates wait for half a ttl, and then all
     * compete.
     *
     * <p>On a ring the successor leads after the next round. If that member is not a candidate, all compete. If it is
     * not in the view, this candidate goes on leading. The log states the reason.
     *
     * <p>The future completes after the lease has been released, never exceptionally. Never blocks.
     */
    CompletableFuture<Void> transferTo(String successor);

    /**
     * Stops campaigning until {@link #resume}. Steps down first if leading, as {@link #resign()} does.
     *
     * <p>The future completes when that is done, never exceptionally. Never blocks.
     */
    CompletableFuture<Void> pause();

    /**
     * Campaigns again after {@link #pause}, or after {@link #whileLeading} has ended.
     *
     * <p>In the second case the candidate leads without a task until {@link #whileLeading} is called. Never blocks.
     * Does nothing after {@link #close}.
     */
    void resume();

    /**
     * Leaves the election and never campaigns again.
     *
     * <p>Stops the work, waits until it has stopped, and then releases the lease. The future completes after the
     * release, never exceptionally. Never blocks.
     */
    CompletableFuture<Void> leave();

    /**
     * Calls {@link #leave} and waits for its future.
     *
     * <p>Waits at most for the renewal deadline and one request timeout; on a ring, for the duration of the leader lease.
     * Does not wait if the task or a callback of this candidate calls it.
     */
    @Override
    void close();

    /** Work that only the leader does. */
    interface LeaderTask<L extends Leadership, X extends Exception> {
        /** Does the work in one term. Interrupted when the term ends. */
        void run(L leadership) throws X, InterruptedException;
    }
}
