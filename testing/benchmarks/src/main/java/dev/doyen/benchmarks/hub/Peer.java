package dev.doyen.benchmarks.hub;

import java.io.IOException;
import java.nio.file.Path;

/** A server under comparison. */
interface Peer {

    String label();

    Dialect dialect();

    /** Returns whether it differs from another peer only in its claims. Then only parts about leadership measure it. */
    default boolean differsInClaimsOnly() {
        return false;
    }

    /** Returns whether several of its processes can form one server. */
    default boolean hasNodes() {
        return false;
    }

    /**
     * Starts one of several processes that form one server.
     *
     * <p>They share a Redis and a folder for their leases.
     */
    default ServerProcess startNode(int port, Path folder, int redisPort, Path leases)
            throws IOException, InterruptedException {
        throw new UnsupportedOperationException("it runs alone here");
    }

    /** Starts the server on this port with this folder, and returns when it listens. */
    ServerProcess start(int port, Path folder) throws IOException, InterruptedException;
}
