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

    /**
     * Prepares an election on a ring: the members of a {@link dev.doyen.membership.Membership} pass messages round, and no
     * store is needed. Each process is one candidate, called like its member.
     *
     * <p>The promise (docs/spec/ring.md): once a view is installed at all its members, exactly one leads, and all know
     * it. <b>Two lead on the two sides of a partition</b>, until it has healed. So a ring is for work that may be done
     * twice, or whose results the two sides do not share. If two leaders would do harm, use {@link #lease} in a store,
     * such as {@code quorum:}, which the processes keep themselves.
     *
     * <p>A term on a ring is a counter and the member that took it. {@link Leadership#term} is the counter. It rises with
     * each leader that this process sees, and two leaders on one side never have the same. Leaders of two sides may have
     * the same number, and then the greater member id goes first when they meet. A resource that both sides reach cannot
     * fence with it.
     *
     * <p>{@link Leadership#save} gives a state to all members of the leader's view. They keep it in memory. See there.
     *
     * @param name what is contested; the same in every process. 1 to 250 characters, no control characters
     */
    static RingElectionBuilder ring(String name) {
        return new RingElectionBuilder(name);
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
