package dev.doyen.benchmarks.contender;

/**
 * One process's use of one system. Threads: any.
 *
 * <p>It contains what the elections of the process share, such as a connection.
 */
public interface Contender extends AutoCloseable {

    /**
     * Campaigns in an election.
     *
     * @param onElected runs when the candidate begins to lead, on a thread that the system chooses
     */
    Participant join(String election, String id, Runnable onElected);

    /** Closes everything. Candidates that are still open may end too. */
    @Override
    void close();

    /** A candidate in one election. */
    interface Participant extends AutoCloseable {

        /** Returns the answer of the system itself, without a cache. */
        boolean isLeader();

        /** Leaves the election, and hands over if this candidate leads. */
        @Override
        void close();
    }
}
