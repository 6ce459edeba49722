package dev.doyen.benchmarks.hub;

import dev.doyen.benchmarks.server.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The settings and helpers that all parts of one run share.
 *
 * @param rounds the number of repetitions of a measurement
 */
record Workload(int rounds) {

    /**
     * Starts a new process of the peer.
     *
     * <p>Because each process is new, one part does not affect the results of the next part.
     */
    ServerProcess start(Peer peer) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("bench-hub");
        return peer.start(freePort(), folder);
    }

    /** Starts a Redis server that stores data in memory only. */
    static ServerProcess startRedis() throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("bench-redis");
        int port = freePort();
        return ServerProcess.start(
                List.of(
                        "redis-server",
                        "--port",
                        Integer.toString(port),
                        "--bind",
                        "127.0.0.1",
                        "--save",
                        "",
                        "--dir",
                        folder.toString()),
                folder,
                port);
    }

    /** Starts one of several processes that form one server. */
    ServerProcess startNode(Peer peer, int redisPort, Path leases) throws IOException, InterruptedException {
        Path folder = Files.createTempDirectory("bench-hub");
        return peer.startNode(freePort(), folder, redisPort, leases);
    }

    static void print(String what) {
        System.err.println("bench: " + what);
    }

    private static int freePort() throws IOException {
        return FreePorts.find(1).get(0);
    }
}
