package dev.doyen.benchmarks.hub;

import java.io.IOException;
import java.nio.file.Path;

/** A server that the crowd talks to. */
interface Peer {

    String label();

    Dialect dialect();

    /** Whether it is one of the others in all but who leads, and is only worth measuring for that. */
    default boolean differsInClaimsOnly() {
        return false;
    }

    /** Whether several of its processes can be one server. */
    default boolean hasNodes() {
        return false;
    }

    /** Starts one of several processes of one server, which meet in a Redis and have their leases in one folder. */
    default ServerProcess startNode(int port, Path folder, int redisPort, Path leases)
            throws IOException, InterruptedException {
        throw new UnsupportedOperationException("it runs alone here");
    }

    /** Starts it on this port, with a folder of its own, and returns when it listens. */
    ServerProcess start(int port, Path folder) throws IOException, InterruptedException;
}
