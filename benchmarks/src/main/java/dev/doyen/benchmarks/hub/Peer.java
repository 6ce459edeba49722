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

    /** Starts it on this port, with a folder of its own, and returns when it listens. */
    ServerProcess start(int port, Path folder) throws IOException, InterruptedException;
}
