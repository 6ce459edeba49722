package dev.doyen;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One who stands for election, again and again, until closed.
 *
 * <p>Threads: any; nothing here blocks but {@link #whileLeading} and {@link #close}.
 */
public interface Candidate extends Observer {

    String id();

    /**
     * True if this candidate leads now: the lease's deadline is compared with both clocks at each call (rules L4, L5),
     * so it turns false on time even if every other thread stands still. True is a claim that held when it was read;
     * false is only doubt. Costs two clock readings.
     */
    boolean isLeader();

    /** The leadership, while {@link #isLeader} is true. */
    Optional<Leadership> leadership();

    /**
     * Runs {@code task} on this thread whenever this candidate leads, until the task ends or the candidate is closed.
     *
     * <p>Waits until this candidate leads, then starts the task. If the leadership is lost while the task runs, this method
     * interrupts the task, waits until it has ended, and starts it again in the next term. The lease is released only after
     * the task has ended (rule L6).
     *
     * <p>The candidate leads only while it works. If this method ends for any other reason than a close, the candidate
     * resigns its term. This holds for a return, an exception, an {@link Error} and an interrupt, also while the task still
     * waits for a term. The candidate then does not campaign until this method or {@link #resume} is called, and
     * {@link #explain} returns {@link dev.doyen.lease.Explanation.Reason#WITHOUT_TASK}. After a term the next one begins
     * after the cooldown of {@link #resign()} at the earliest. A candidate for which this method was never called campaigns
     * without a task.
     *
     * <p>A task that ignores the interrupt delays the release. The lease then ends all the same, and another candidate
     * leads: a lease that the candidate renews by itself expires, and one of {@link Elections} is released one ttl after the
     * loss. So check {@link Leadership#isCertain} in long loops. Set a time limit for calls that an interrupt does not end,
     * such as reads of a {@code java.net.Socket} and calls of most JDBC drivers.
     *
     * <p>Threads: any, one at a time. Blocks. After the task has ended while leading, this method waits until the lease is
     * released, for one ttl at most; on a ring, for the duration of the leader lease at most.
     *
     * @return true if the task returned while leading, after resigning; false if the candidate was closed first
     * @throws InterruptedException if another thread interrupts the calling thread; the candidate has resigned
     * @throws X if the task throws it while leading; the candidate has resigned. If the leadership was lost before, the
     *     exception is only logged, and the task starts again in the next term. An {@link Error} is always thrown
     * @throws IllegalStateException if a task is already running for this candidate
     */
    <X extends Exception> boolean whileLeading(LeaderTask<X> task) throws X, InterruptedException;

    /**
     * Steps down if leading, and does not campaign for the cooldown of the election's settings, so that another candidate
     * can win. Stops the work, waits until it has stopped, and then releases the lease. The future completes when that is
     * done, never exceptionally. If the store does not answer the release, the future completes one ttl after the work has
     * stopped. Never blocks.
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
     * Hands over to the candidate of this id, if leading. The others wait for half a ttl, and then all compete. The successor
     * does not wait: its own cooldown ends.
     *
     * <p>Completes after the lease has been released; never exceptionally. Nothing happens if this candidate does not lead.
     * On a ring the successor leads after the next round. If it is no candidate, all compete. If it is not in the view, this
     * candidate goes on leading. The log states why.
     */
    CompletableFuture<Void> transferTo(String heir);

    /**
     * Stops campaigning until {@link #resume}. Steps down first if leading, as {@link #resign()} does. The future completes
     * when that is done, never exceptionally. Never blocks.
     */
    CompletableFuture<Void> pause();

    /**
     * Campaigns again after {@link #pause}, and after {@link #whileLeading} has ended. In the second case the candidate leads
     * without a task until {@link #whileLeading} is called. Never blocks. Does nothing after {@link #close}.
     */
    void resume();

    /**
     * Leaves the election for good. Stops the work, waits until it has stopped, and then releases the lease. Waits for the
     * renewal deadline and one request timeout at most; on a ring, for the duration of the leader lease at
     * most. Does not wait if the task or a callback of this candidate calls it.
     */
    @Override
    void close();

    /** Work that only the leader does. */
    interface LeaderTask<X extends Exception> {
        void run(Leadership leadership) throws X, InterruptedException;
    }
}
