package dev.doyen;

import dev.doyen.election.JoinableElection;

/**
 * A named election by lease. This process can campaign, observe and send admin commands.
 *
 * <p>{@code dev.doyen.group.RingElection} elects without a store.
 *
 * <p>Threads: any, including virtual threads. An election has one loop thread, at most 8 threads for store calls and at
 * most 256 threads for callbacks. All elections of one {@link Elections} object share these threads. The threads are
 * daemon threads.
 */
public interface Election extends JoinableElection {

    /**
     * Prepares an election by lease: candidates compete for a record in a store, by compare-and-set.
     *
     * @param name the name of the election, which is the same in every process; 1 to 255 characters, no control
     *     characters, not beginning with {@code ~}
     * @throws IllegalArgumentException if the name does not have this form
     */
    static LeaseElectionBuilder lease(String name) {
        return new LeaseElectionBuilder(name);
    }

    /**
     * Adds a candidate, which campaigns until it is closed.
     *
     * <p>After a candidate has lost its leadership, it campaigns again.
     *
     * @param id the name that other participants see; 1 to 255 characters, no control characters. The id need not be
     *     unique, because each call creates a different holder, even with the same id (rule L10)
     * @throws IllegalArgumentException if the id is too long, empty or contains a control character
     * @throws IllegalStateException if the election is closed
     */
    @Override
    LeaseCandidate join(String id);

    /**
     * Adds an observer, which watches the election and never leads.
     *
     * @throws IllegalStateException if the election is closed
     */
    @Override
    LeaseObserver observe();

    /**
     * Returns an object that sends admin commands.
     *
     * @param by the author of the commands, such as {@code user@host}. The record contains this name.
     *     {@code doyen leader}, {@code doyen watch} and {@code doyen history} show it
     */
    Control control(String by);

    /**
     * Closes all candidates and observers, as {@link LeaseCandidate#close} does.
     *
     * <p>A shutdown hook calls this method, unless {@link LeaseSettings#closeOnShutdown} is false. A second call also
     * waits until the candidates have left the election.
     *
     * <p>The election then closes its store and its threads, unless they belong to the caller or to {@link Elections}.
     * If work still runs then, the election closes the store and the threads after this work has stopped and the
     * candidate has left the election. The same applies if the task or a callback of a candidate calls this method.
     */
    @Override
    void close();
}
