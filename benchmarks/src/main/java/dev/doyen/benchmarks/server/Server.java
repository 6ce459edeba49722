package dev.doyen.benchmarks.server;

import java.io.IOException;

/** A running server. Threads: one at a time. */
public interface Server extends AutoCloseable {

    /** Returns the URL of the server, as for Doyen's stores. */
    String url();

    String version();

    /** Returns the number of requests from all clients since a fixed time. */
    long requests() throws Exception;

    @Override
    void close() throws IOException;
}
