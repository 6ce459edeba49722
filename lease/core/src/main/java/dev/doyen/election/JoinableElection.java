package dev.doyen.election;

/**
 * A named election of any kind, which this process can join.
 *
 * <p>{@code dev.doyen.Election} elects by lease. {@code dev.doyen.group.RingElection} elects on a ring. Threads: any.
 */
public interface JoinableElection extends AutoCloseable {

    /** Returns the name of the election. */
    String name();

    /**
     * Adds a candidate, which takes part until it is closed.
     *
     * @param id the name that other participants see; 1 to 255 characters, no control characters
     * @throws IllegalArgumentException if the id is too long, empty or contains a control character
     * @throws IllegalStateException if the election is closed
     */
    Candidate<?> join(String id);

    /**
     * Adds an observer, which watches the election and never leads.
     *
     * @throws IllegalStateException if the election is closed
     */
    Observer observe();

    /** Closes all candidates and observers. */
    @Override
    void close();
}
