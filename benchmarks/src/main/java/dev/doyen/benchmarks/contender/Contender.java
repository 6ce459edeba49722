package dev.doyen.benchmarks.contender;

/** One process's use of one system: whatever that shares among elections, a connection or a session. Threads: any. */
public interface Contender extends AutoCloseable {

    /**
     * Stands for election.
     *
     * @param onElected what this system runs when the seat begins to lead, on a thread of its choice
     */
    Seat join(String election, String id, Runnable onElected);

    /** Ends everything; seats that are still open may end by it. */
    @Override
    void close();

    /** A candidate in one election. */
    interface Seat extends AutoCloseable {

        /** As the system itself answers, at each call. */
        boolean isLeader();

        /** Leaves, handing over if leading. */
        @Override
        void close();
    }
}
