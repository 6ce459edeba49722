package dev.doyen.benchmarks.contender;

import dev.doyen.benchmarks.server.ZooKeeperInProcess;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Curator's LeaderLatch with a ZooKeeper server in the same process. The server is one of three servers of an ensemble.
 *
 * <p>The client uses the server of its own process, in the same way as a member of Doyen's quorum uses its own copy.
 */
final class CuratorEmbedded implements Contender {

    /**
     * The longest wait for a connection. Before its store opens, a member of Doyen's quorum waits at most for the same
     * time.
     */
    private static final Duration CONNECTED_WITHIN = Duration.ofSeconds(2);

    private final ZooKeeperInProcess server;
    private final CuratorLatch latches;

    private CuratorEmbedded(ZooKeeperInProcess server, CuratorLatch latches) {
        this.server = server;
        this.latches = latches;
    }

    /**
     * Starts the server with this configuration file, and connects a client.
     *
     * <p>The method waits at most {@link #CONNECTED_WITHIN} for the connection.
     */
    static CuratorEmbedded open(String file, Duration ttl) {
        ZooKeeperInProcess server;
        try {
            server = new ZooKeeperInProcess(Path.of(file));
        } catch (Exception e) {
            // The catch clause is broad, because ZooKeeper's method declares Exception.
            throw new IllegalStateException("the ZooKeeper server of " + file + " could not be started", e);
        }
        var latches = new CuratorLatch(server.url(), ttl);
        latches.awaitConnection(CONNECTED_WITHIN);
        return new CuratorEmbedded(server, latches);
    }

    @Override
    public Participant join(String election, String id, Runnable onElected) {
        return latches.join(election, id, onElected);
    }

    @Override
    public void close() {
        latches.close();
        server.close();
    }
}
