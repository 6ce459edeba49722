package dev.doyen.benchmarks.hub;

import dev.doyen.benchmarks.Sample;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Measures the memory for each idle member of a server that consists of three processes.
 *
 * <p>The members are in several client processes, because one process may not open so many sockets. Each channel has
 * members at all three server processes. The part also measures the memory of Redis.
 */
final class NodesPart implements HubPart {

    private static final int NODES = 3;
    private static final int CONNECTIONS = Integer.getInteger("bench.nodes.connections", 50_000);
    private static final Duration LONGEST_JOINING = Duration.ofSeconds(30);
    private static final long REMAIN_PRESENT_MILLIS = 1_000;

    @Override
    public String name() {
        return "nodes";
    }

    @Override
    public List<Measured> run(Peer peer, Workload workload) throws Exception {
        Deque<AutoCloseable> open = new ArrayDeque<>();
        try {
            ServerProcess redis = keep(open, Workload.startRedis());
            var leases = Files.createTempDirectory("bench-leases");
            var nodes = new ArrayList<ServerProcess>();
            for (int i = 0; i < NODES; i++) {
                nodes.add(keep(open, workload.startNode(peer, redis.port(), leases)));
            }
            for (ServerProcess node : nodes) {
                keep(open, first(node, peer.dialect()));
            }
            long before = resident(nodes);
            long redisBefore = redis.residentBytes();
            long began = System.nanoTime();
            var crowds = new ArrayList<CrowdProcess>();
            for (int i = 0; i < NODES; i++) {
                int count = (CONNECTIONS + NODES - 1 - i) / NODES;
                crowds.add(keep(open, CrowdProcess.start(nodes.get(i).port(), REMAIN_PRESENT_MILLIS, i, NODES, count)));
            }
            for (CrowdProcess crowd : crowds) {
                crowd.awaitReady();
            }
            double seconds = (System.nanoTime() - began) / 1e9;
            TimeUnit.SECONDS.sleep(IdlePart.SETTLING_SECONDS);
            for (CrowdProcess crowd : crowds) {
                int ended = crowd.ended();
                if (ended > 0) {
                    throw new IllegalStateException(ended + " clients were closed by " + peer.label());
                }
            }
            String many = String.format(Locale.ROOT, "%,d members on %d nodes", CONNECTIONS, NODES);
            return List.of(
                    new Measured("memory for each of " + many, "KiB", peer.label(), each(resident(nodes) - before)),
                    new Measured(
                            "memory of Redis per member",
                            "KiB",
                            peer.label(),
                            each(redis.residentBytes() - redisBefore)),
                    new Measured(many + " enter", "s", peer.label(), Sample.of(seconds)));
        } finally {
            while (!open.isEmpty()) {
                open.pop().close();
            }
        }
    }

    /**
     * Connects one client to the node.
     *
     * <p>So the code and the buffers that all clients share exist before the measurement. The method retries, because a
     * node accepts no client before it has found the other nodes.
     */
    private static Crowd first(ServerProcess node, Dialect dialect) throws InterruptedException, TimeoutException {
        long until = System.nanoTime() + LONGEST_JOINING.toNanos();
        while (true) {
            var crowd = new Crowd(node.port(), dialect);
            crowd.enter(Dialect.Part.MEMBER, "first", "first");
            try {
                crowd.awaitReady();
                return crowd;
            } catch (TimeoutException e) {
                crowd.close();
                if (System.nanoTime() - until > 0) {
                    throw e;
                }
            }
        }
    }

    private static <T extends AutoCloseable> T keep(Deque<AutoCloseable> open, T one) {
        open.push(one);
        return one;
    }

    private static Sample each(long bytes) {
        return Sample.of(bytes / 1024.0 / CONNECTIONS);
    }

    private static long resident(List<ServerProcess> processes) throws IOException {
        long bytes = 0;
        for (ServerProcess process : processes) {
            bytes += process.residentBytes();
        }
        return bytes;
    }
}
