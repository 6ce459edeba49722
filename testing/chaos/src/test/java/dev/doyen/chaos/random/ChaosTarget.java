package dev.doyen.chaos.random;

import java.util.List;

/** The place of a chaos test: its store, and the places of its processes. Threads: one. */
interface ChaosTarget extends AutoCloseable {

    /** Returns the number of processes. Their places are numbered from 0. */
    int places();

    /** Returns the URL with which the process at this place opens the store. */
    String url(int place);

    /**
     * Returns the words before a command that run it at this place.
     *
     * <p>They may enter a network namespace.
     */
    List<String> prefix(int place);

    /**
     * Begins a fault of the store or of the network.
     *
     * @param victim the process that the fault hits; unused for a fault of the whole store
     */
    Ending begin(FaultKind kind, ChaosProcess victim, ChaosProcesses processes) throws Exception;

    @Override
    void close() throws Exception;

    /** Ends a fault. */
    interface Ending {
        void end() throws Exception;
    }
}
