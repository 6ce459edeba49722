package dev.doyen.drills.chaos;

import java.util.List;

/** Where a chaos test runs: the store, and the places in which its processes run. Threads: one. */
interface ChaosSite extends AutoCloseable {

    /** How many processes are candidates. Their places have the numbers from 0. */
    int places();

    /** The URL with which the process in this place opens the store. */
    String url(int place);

    /** A command to run the process in this place under, such as one that enters a network namespace. */
    List<String> prefix(int place);

    /**
     * Begins a fault of the store or of the network.
     *
     * @param victim the process that the fault hits; a fault of the whole store does not need it
     */
    Ending begin(FaultKind kind, ChaosProcess victim, ChaosProcesses processes) throws Exception;

    @Override
    void close() throws Exception;

    /** Ends a fault. */
    interface Ending {
        void end() throws Exception;
    }
}
