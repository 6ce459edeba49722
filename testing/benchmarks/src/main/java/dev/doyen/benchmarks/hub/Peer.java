package dev.doyen.benchmarks.hub;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;

/** A server under comparison. */
interface Peer {

    String label();

    Dialect dialect();

    /** Returns the names of the parts that measure this peer ({@link HubPart#name}). */
    Set<String> parts();

    /**
     * Starts one of several processes that form one server.
     *
     * <p>The processes share a Redis server and a folder for their leases.
     */
    default ServerProcess startNode(int port, Path folder, int redisPort, Path leases)
            throws IOException, InterruptedException {
        throw new UnsupportedOperationException("this server has only one process in the benchmark");
    }

    /** Starts the server on this port with this folder, and returns after the server listens. */
    ServerProcess start(int port, Path folder) throws IOException, InterruptedException;
}
