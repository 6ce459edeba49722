package dev.doyen.benchmarks.contender;

/**
 * The access of one process to one system under comparison. Threads: any.
 *
 * <p>A contender contains the resources that all elections of the process share, such as a connection.
 */
public interface Contender extends AutoCloseable {

    /**
     * Campaigns in an election.
     *
     * @param onElected the callback that runs when the candidate begins to lead, on a thread that the system chooses
     */
    Participant join(String election, String id, Runnable onElected);

    /** Closes the shared resources. In some systems, this also ends the candidates that are still open. */
    @Override
    void close();

    /** A candidate in one election. */
    interface Participant extends AutoCloseable {

        /** Returns true if this candidate leads. */
        boolean isLeader();

        /** Leaves the election. If this candidate leads and another candidate exists, that candidate takes over. */
        @Override
        void close();
    }
}
