package dev.doyen.benchmarks.server;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A running server, or the addresses of servers that the candidates run themselves. Threads: one at a time. */
public interface Server extends AutoCloseable {

    /** The number of candidates that an embedded server needs, because each of them is one of its members. */
    int CANDIDATES = 3;

    /** In which it must report its requests. */
    Duration ANSWER_WITHIN = Duration.ofSeconds(10);

    /** Where it is, as Doyen's stores are given it. */
    String url();

    /**
     * Where it is, as this candidate is given it. Only embedded servers distinguish the candidates.
     *
     * @param candidate 0 to {@link #CANDIDATES} - 1
     */
    default String url(int candidate) {
        return url();
    }

    String version();

    /** Requests received from all clients since some moment that does not change. */
    long requests() throws Exception;

    /** All processes of the server at this moment. None if it is embedded. */
    List<ProcessHandle> processes() throws IOException;

    @Override
    void close() throws IOException;
}
