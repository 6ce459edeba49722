package dev.doyen.benchmarks.hub;

import java.io.IOException;
import java.nio.file.Path;

/** A server that the crowd talks to. */
interface Peer {

    String label();

    Dialect dialect();

    /** Starts it on this port, with a folder of its own, and returns when it listens. */
    ServerProcess start(int port, Path folder) throws IOException, InterruptedException;
}
