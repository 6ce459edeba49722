package dev.doyen.benchmarks.hub;

import java.io.IOException;
import java.nio.file.Path;

/** A server under comparison. */
interface Peer {

    String label();

    Dialect dialect();

    /**
     * Returns true if this peer differs from another only in the store of claims. In this case only the parts about
     * leadership measure this peer.
     */
    default boolean differsInClaimsOnly() {
        return false;
    }

    /**
     * Returns true if this peer only delivers messages and stores presence. In this case the parts about leadership and
     * about presence events do not measure this peer.
     */
    default boolean isBroker() {
        return false;
    }

    /** Returns true if several processes of this peer can form one server. */
    default boolean hasNodes() {
        return false;
    }

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
