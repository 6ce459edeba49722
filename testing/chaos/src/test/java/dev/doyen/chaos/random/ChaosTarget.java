package dev.doyen.chaos.random;

import java.util.List;

/**
 * The environment of a chaos test: its store, and the places at which its processes run.
 *
 * <p>A place is a number. On a network, each place has its own network namespace. Threads: one.
 */
interface ChaosTarget extends AutoCloseable {

    /** Returns the number of places, which is the number of processes. The first place is 0. */
    int places();

    /** Returns the URL with which the process at this place opens the store. */
    String url(int place);

    /**
     * Returns the command prefix that runs a command at this place.
     *
     * <p>For example, the prefix is {@code ip netns exec NAMESPACE}, which runs the command in a network namespace.
     */
    List<String> prefix(int place);

    /**
     * Begins a fault of the store or of the network. The caller ends the fault by a call to the result.
     *
     * @param victim the process that the fault affects; unused for a fault of the whole store
     */
    Ending begin(FaultKind kind, ChaosProcess victim, ChaosProcesses processes) throws Exception;

    @Override
    void close() throws Exception;

    /** Ends a fault. */
    interface Ending {
        void end() throws Exception;
    }
}
