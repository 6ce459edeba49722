package dev.doyen;

/**
 * A named contest, as this process takes part in it.
 *
 * <p>Threads: every method may be called from any thread. An election has a loop thread and a few threads for store
 * calls and callbacks, all daemons; virtual threads may call it.
 */
public interface Election extends AutoCloseable {

    /**
     * Prepares an election by lease: candidates race for a record in a store, by compare-and-set.
     *
     * @param name what is contested; the same in every process. 1 to 255 characters, no control characters
     */
    static LeaseElectionBuilder lease(String name) {
        return new LeaseElectionBuilder(name);
    }

    String name();

    /**
     * Joins as a candidate, at once and until it is closed: one that lost leads again when its time comes.
     *
     * @param id the name others will see; need not be unique, for each join is a holder of its own (rule L10)
     */
    Candidate join(String id);

    /** Watches without ever leading. */
    Observer observe();

    /**
     * A hand on the election from outside, such as an operator's.
     *
     * @param by who asks, as the leader's log and the history will show it
     */
    Control control(String by);

    /** Closes every candidate and observer, as {@link Candidate#close} does, then what the election holds open. */
    @Override
    void close();
}
