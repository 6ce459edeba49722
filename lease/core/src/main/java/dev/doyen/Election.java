package dev.doyen;

import dev.doyen.election.JoinableElection;

/**
 * A named election by lease, in which this process can campaign, observe and send admin commands.
 *
 * <p>{@code dev.doyen.group.RingElection} elects without a store.
 *
 * <p>Threads: any, including virtual threads. An election has a loop thread and a few threads for store calls and
 * callbacks. All of them are daemon threads.
 */
public interface Election extends JoinableElection {

    /**
     * Prepares an election by lease: candidates compete for a record in a store, by compare-and-set.
     *
     * @param name the election; the same in every process. 1 to 255 characters, no control characters
     * @throws IllegalArgumentException if the name breaks these rules
     */
    static LeaseElectionBuilder lease(String name) {
        return new LeaseElectionBuilder(name);
    }

    /**
     * Adds a candidate, which campaigns until it is closed.
     *
     * <p>It also campaigns again after it has lost a leadership.
     *
     * @param id the name that others see; 1 to 255 characters, no control characters. It need not be unique,
     *     because each call makes another holder (rule L10)
     * @throws IllegalArgumentException if the id breaks these rules
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
     * Returns a handle for admin commands, such as those of an operator.
     *
     * @param by who sends the commands. The record contains it. {@code doyen leader}, {@code doyen watch} and
     *     {@code doyen history} show it
     */
    Control control(String by);

    /**
     * Closes all candidates and observers, as {@link LeaseCandidate#close} does.
     *
     * <p>Then closes its store and its threads, unless they belong to the caller or to {@link Elections}.
     */
    @Override
    void close();
}
