package dev.doyen.benchmarks.server;

import java.io.IOException;

/** A running server. Threads: one at a time. */
public interface Server extends AutoCloseable {

    /** Where it is, as Doyen's stores are given it. */
    String url();

    String version();

    /** Requests received from all clients since some moment that does not change. */
    long requests() throws Exception;

    @Override
    void close() throws IOException;
}
