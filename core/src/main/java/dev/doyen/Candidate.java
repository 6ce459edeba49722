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
     * Waits until this candidate leads, then runs {@code task} on this thread. If the leadership is lost before the
     * task has returned, interrupts it, waits until it has ended however it ends, and starts it anew at the next
     * election. So the task runs here only while this candidate leads, and the lease is never given back before the
     * task has stopped (rule L6). A task that ignores the interrupt keeps the lease from being given back; it then runs
     * out, and another leads: check {@link Leadership#isCertain} in long loops, and give a time limit to whatever no
     * interrupt ends, such as reads of a {@code java.net.Socket} and most JDBC drivers' calls.
     *
     * @return true when the task has returned while leading, after resigning; false if the candidate was closed first
     * @throws InterruptedException if the calling thread is interrupted by others
     * @throws X what the task throws while leading, after resigning; what it throws after a loss is logged only
     * @throws IllegalStateException if a task is already running for this candidate
     */
    <X extends Exception> boolean whileLeading(LeaderTask<X> task) throws X, InterruptedException;

    /**
     * Steps down, if leading: stops the work, waits until it has stopped, gives the lease back and stands back for the
     * timing's cooldown, so that another may win. Completes when that is done; never exceptionally.
     */
    CompletableFuture<Void> resign();

    /** The same, with a cooldown of one's own: 0 to 1 h. */
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

    /** Stands back, stepping down first if leading, until {@link #resume}. Completes when that is done. */
    CompletableFuture<Void> pause();

    /** Stands again after {@link #pause}. */
    void resume();

    /**
     * Leaves for good, giving back what is held once the work has stopped. Waits for that, for the lease's deadline at
     * most; called from the task or from a callback, does not wait.
     */
    @Override
    void close();

    /** Work that only the leader does. */
    interface LeaderTask<X extends Exception> {
        void run(Leadership leadership) throws X, InterruptedException;
    }
}
