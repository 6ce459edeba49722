package dev.doyen;

/**
 * A named election, in which this process can campaign, observe and send admin commands.
 *
 * <p>Threads: any, including virtual threads. An election has a loop thread and a few threads for store calls and
 * callbacks. All of them are daemon threads.
 */
public interface Election extends AutoCloseable {

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
     * Prepares an election on a ring, which needs a membership and no store.
     *
     * <p>Each process is one candidate, whose id is the id of its {@link dev.doyen.membership.Member}.
     *
     * <p>The promise (docs/spec/ring.md): if a view is installed at all its members, exactly one of them leads, and all
     * know it. <b>During a network partition each side has a leader.</b> So a ring is for work that may be done twice,
     * or whose results the two sides do not share. If two leaders would do harm, use {@link #lease} with a store. The
     * processes can keep that store themselves ({@code quorum:}).
     *
     * <p>A term on a ring consists of a counter and the member that took it. {@link Leadership#term} returns the
     * counter. It rises with each new leadership on one side. Leaders on two sides may have the same counter. When the
     * sides meet, the leader with the greater member id then goes on with that counter, and the processes of the other
     * side see a new leader without a new counter. So a resource that both sides reach cannot use the counter as a
     * fencing token.
     *
     * <p>{@link Leadership#save} sends a saved state to all members of the leader's view, which keep it in memory.
     *
     * @param name the election; the same in every process. 1 to 250 characters, no control characters
     * @throws IllegalArgumentException if the name breaks these rules
     */
    static RingElectionBuilder ring(String name) {
        return new RingElectionBuilder(name);
    }

    /** Returns the name of the election. */
    String name();

    /**
     * Adds a candidate, which campaigns until it is closed.
     *
     * <p>It also campaigns again after it has lost a leadership.
     *
     * @param id the name that others see; 1 to 255 characters, no control characters. By lease it need not be unique,
     *     because each call makes another holder (rule L10). On a ring it must be the member's id
     * @throws IllegalArgumentException if the id breaks these rules
     * @throws IllegalStateException if the election is closed; on a ring also if this process has a candidate already
     */
    Candidate join(String id);

    /**
     * Adds an observer, which watches the election and never leads.
     *
     * @throws IllegalStateException if the election is closed
     */
    Observer observe();

    /**
     * Returns a handle for admin commands, such as those of an operator.
     *
     * @param by who sends the commands. The record contains it. {@code doyen leader}, {@code doyen watch} and
     *     {@code doyen history} show it
     * @throws UnsupportedOperationException on a ring, which has no record to write to
     */
    Control control(String by);

    /**
     * Closes all candidates and observers, as {@link Candidate#close} does.
     *
     * <p>An election by lease then closes its store and its threads, unless they belong to the caller or to
     * {@link Elections}. On a ring the process goes on forwarding messages until the membership ends.
     */
    @Override
    void close();
}
