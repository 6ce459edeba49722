package dev.doyen.election;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A candidate that campaigns in this process until it is closed.
 *
 * <p>After the candidate has lost its leadership, it normally campaigns again; see {@link ElectionListener#lost}.
 *
 * <p>Errors: the future of a method fails with {@link IllegalStateException} only if this process repeatedly fails to
 * carry out a call of the candidate, for example because its memory is exhausted. The log contains the cause. The call
 * is then possibly not carried out.
 *
 * <p>Threads: any. A method that returns a future never blocks. {@link #whileLeading} and {@link #close} block.
 *
 * @param <L> the type of leadership in this kind of election
 */
public interface LocalCandidate<L extends Leadership> extends Candidate<L> {

    /**
     * Runs {@code task} on the calling thread while this candidate leads.
     *
     * <p>The method returns after the task has ended while the candidate led, or after the candidate was closed.
     *
     * <p>The method waits until this candidate leads, and then starts the task. If the leadership is lost while the
     * task runs, this method interrupts the task, waits until it has ended, and starts it again in the next term. The
     * candidate releases the lease only after the task has ended (rule L6).
     *
     * <p>If the task returns or throws while the candidate leads, the candidate resigns its term. It does not campaign
     * again before this method or {@link #resume} is called and the cooldown of {@link #resign()} has passed. Between
     * the release and one of these calls, {@link #explain} returns {@link
     * dev.doyen.event.Explanation.Reason#WITHOUT_TASK}, unless the candidate is paused or closed. The candidate also
     * stops campaigning if another thread interrupts this method while it waits for a term, or if the task throws an
     * {@link Error} after the loss of the leadership. If this method was never called, the candidate campaigns without
     * a task.
     *
     * <p>A task that ignores the interrupt delays the release. Another candidate can lead nevertheless, because the
     * lease expires or, in an election of {@code Elections}, is released one ttl after the loss. So check
     * {@link Leadership#isCertain} in long loops. Set a time limit for calls that an interrupt does not end, such as
     * reads of a {@code java.net.Socket} and calls of most JDBC drivers. If the task calls {@link System#exit}, the
     * JVM ends without the release of the lease.
     *
     * <p>Threads: any, one at a time. Blocks. If the task ends while the candidate leads, this method waits until the
     * lease is released, at most one ttl. On a ring, the wait is at most the duration of the leader lease.
     *
     * @return true if the task returned while the candidate led; the candidate has then resigned. False if the
     *     candidate was closed first
     * @throws InterruptedException if another thread interrupts the calling thread; the candidate then neither leads
     *     nor campaigns
     * @throws X if the task throws X while the candidate leads; the candidate has then resigned. If the task throws
     *     after the loss of the leadership, this method does not rethrow the exception, and the task starts again in
     *     the next term. The method logs the exception, unless it is a {@link NotLeaderException} or an
     *     {@link InterruptedException}. This method always rethrows an {@link Error}
     * @throws IllegalStateException if another call of this method has not returned yet
     */
    <X extends Exception> boolean whileLeading(LeaderTask<? super L, X> task) throws X, InterruptedException;

    /**
     * If this candidate leads, it steps down, and then waits for the configured cooldown.
     *
     * <p>The candidate stops the work, waits until it has stopped, and then releases the lease. The cooldown lets
     * another candidate win. The future completes after the release. If the store does not
     * answer the release, the future completes one ttl after the work has stopped. The method never blocks.
     *
     * <p>If this candidate does not lead, the call has no effect in an election by lease. On a ring, such a candidate
     * campaigns again only after the cooldown.
     */
    CompletableFuture<Void> resign();

    /**
     * Resigns like {@link #resign()}, but with this cooldown.
     *
     * @param cooldown 0 to 1 h
     * @throws IllegalArgumentException if the cooldown is out of these bounds
     */
    CompletableFuture<Void> resign(Duration cooldown);

    /**
     * Hands over to the candidate with this id. The call has no effect if this candidate does not lead.
     *
     * <p>After the release, the successor campaigns at once, even during a cooldown. The other candidates wait for
     * half a ttl. After that all candidates compete.
     *
     * <p>In a ring election the successor leads after the next round. If the successor is a member but not a candidate,
     * all candidates compete. If the successor is not in the view, this candidate continues to lead, and logs the
     * reason.
     *
     * <p>The future completes after the lease has been released. The method never blocks.
     */
    CompletableFuture<Void> transferTo(String successor);

    /**
     * Stops campaigning until {@link #resume}. Steps down first if leading, as {@link #resign()} does.
     *
     * <p>The future completes when the candidate has stepped down. The method never blocks.
     */
    CompletableFuture<Void> pause();

    /**
     * Campaigns again after {@link #pause}, or after {@link #whileLeading} has ended.
     *
     * <p>If {@link #whileLeading} has ended, the candidate then campaigns and leads without a task until
     * {@code whileLeading} is called again. The call never blocks, and does nothing after {@link #close}.
     */
    void resume();

    /**
     * Leaves the election and never campaigns again.
     *
     * <p>The candidate stops the work, waits until the work has stopped, and then releases the lease. The future
     * completes after the release. The method never blocks.
     */
    CompletableFuture<Void> leave();

    /**
     * Calls {@link #leave} and waits for its future.
     *
     * <p>The wait is at most the renewal deadline plus one request timeout. On a ring, the wait is at most the
     * duration of the leader lease. The method does not wait if the task or a callback of this candidate calls it.
     */
    @Override
    void close();

    /** Work that only the leader does. */
    interface LeaderTask<L extends Leadership, X extends Exception> {
        /** Does the work in one term. The candidate interrupts the calling thread when the term ends. */
        void run(L leadership) throws X, InterruptedException;
    }
}
