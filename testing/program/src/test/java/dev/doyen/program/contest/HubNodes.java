package dev.doyen.program.contest;

import dev.doyen.hub.server.nodes.RedisServers;
import dev.doyen.testkit.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Several nodes of one hub, with the Redis that they share for their log and leases. */
final class HubNodes implements AutoCloseable {

    private final ServerProcess redis;
    private final List<HubProcess> nodes = new ArrayList<>();
    private final int ttlMillis;

    /**
     * Starts all nodes, and returns when all nodes accept clients.
     *
     * @param ttlMillis the time of silence after which a node counts as stopped
     */
    HubNodes(Path folder, int count, int ttlMillis) throws Exception {
        this.ttlMillis = ttlMillis;
        redis = RedisServers.start(folder);
        String url = "redis://127.0.0.1:" + redis.port();
        String settings = "nodes:\n  redis: " + url + "\n  ttl: " + ttlMillis + "ms\n";
        try {
            for (int i = 0; i < count; i++) {
                Path own = Files.createDirectory(folder.resolve("node-" + i));
                nodes.add(new HubProcess(own, settings, List.of("--store", url + "/claims")));
            }
            awaitServing(nodes);
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    List<HubProcess> all() {
        return nodes;
    }

    int ttlMillis() {
        return ttlMillis;
    }

    /** Returns {@code count} random nodes, or all nodes if there are fewer. */
    List<HubProcess> some(Random random, int count) {
        var drawn = new ArrayList<>(nodes);
        Collections.shuffle(drawn, random);
        return drawn.subList(0, Math.min(count, drawn.size()));
    }

    /** Starts the nodes again, and returns when they accept clients. */
    static void startAgain(List<HubProcess> killed) throws IOException, InterruptedException {
        for (HubProcess each : killed) {
            each.startAgain();
        }
        awaitServing(killed);
    }

    private static void awaitServing(List<HubProcess> started) throws IOException, InterruptedException {
        for (HubProcess each : started) {
            each.awaitServing();
        }
    }

    @Override
    public void close() {
        nodes.forEach(HubProcess::close);
        redis.close();
    }
}
