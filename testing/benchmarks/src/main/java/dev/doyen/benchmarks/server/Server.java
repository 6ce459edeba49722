package dev.doyen.benchmarks.server;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/**
 * A server that runs while the benchmark measures. If the server is embedded, the candidates themselves run it, and
 * this object only contains its configuration and counts its requests. Threads: one thread at a time.
 */
public interface Server extends AutoCloseable {

    /**
     * The number of members of a quorum or an embedded server, and of candidates in {@code Stores}. If the server is
     * embedded, each candidate is a member.
     */
    int CANDIDATES = 3;

    /** The time within which a ZooKeeper server must return its counters. */
    Duration ANSWER_WITHIN = Duration.ofSeconds(10);

    /** Returns the URL of the server, in the format of Doyen's stores. */
    String url();

    /**
     * Returns the URL of the server for one candidate. Only embedded servers distinguish the candidates.
     *
     * @param candidate the number of the candidate, 0 to {@link #CANDIDATES} - 1
     */
    default String url(int candidate) {
        return url();
    }

    String version();

    /** Returns the number of requests from all clients since a fixed time. */
    long requests() throws Exception;

    /** Returns all current processes of the server; empty if the server is embedded. */
    List<ProcessHandle> processes() throws IOException;

    @Override
    void close() throws IOException;
}
