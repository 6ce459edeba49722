package dev.doyen.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.PresenceAction;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Chaos tests of a hub with several nodes. Each node is a separate process.
 *
 * <p>The tests kill one node, or cut its connection to Redis. They check which messages the clients receive, and print
 * how soon the clients continue.
 */
@Timeout(300)
class HubNodesChaosTest {

    private static final String DESK = "desk";
    private static final String LOCAL = "127.0.0.1";

    @TempDir
    Path folder;

    private Path settings;
    private Process redis;
    private int redisPort;
    private final List<HubProcess> nodes = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        assumeTrue(
                Commands.succeeds("redis-server", "--version"),
                "SKIPPED: no redis-server on this machine; install redis-server");
        settings = Files.writeString(folder.resolve("hub.yaml"), """
                limits:
                  remain-present-for: 8s
                nodes:
                  redis: redis://replaced-by-the-flag:1
                  ttl: 4s
                """);
    }

    private void startRedis(String address) throws Exception {
        try (var free = new ServerSocket(0)) {
            redisPort = free.getLocalPort();
        }
        redis = new ProcessBuilder(
                        "redis-server",
                        "--bind",
                        address,
                        "--protected-mode",
                        "no",
                        "--port",
                        Integer.toString(redisPort),
                        "--dir",
                        folder.toString(),
                        "--save",
                        "")
                .redirectOutput(folder.resolve("redis.log").toFile())
                .start();
    }

    @AfterEach
    void end() throws Exception {
        nodes.forEach(HubProcess::close);
        if (redis != null) {
            redis.destroyForcibly().waitFor();
        }
    }

    private HubProcess node(List<String> prefix, String address, String redisAddress) throws IOException {
        var node = HubProcess.start(prefix, address, "redis://" + redisAddress + ":" + redisPort, folder, settings);
        nodes.add(node);
        return node;
    }

    @Test
    void clients_of_a_killed_node_continue_at_another_or_leave() throws Exception {
        startRedis(LOCAL);
        HubProcess here = node(List.of(), LOCAL, LOCAL);
        HubProcess there = node(List.of(), LOCAL, LOCAL);
        HubClient ben = new HubClient("ben").connect(there).attach(DESK);
        HubClient ann = new HubClient("ann").connect(here).attach(DESK);
        HubClient cleo = new HubClient("cleo").connect(here);
        ann.enter(DESK, "leader");
        cleo.enter(DESK, "waits");
        ann.publish(DESK, "before");
        ben.awaitText("before");
        String id = ann.connectionId();
        long killed = System.nanoTime();
        here.kill();
        ann.connect(there).attach(DESK);
        print("from SIGKILL of its node until a client has resumed at another node", killed);
        assertThat(ann.connectionId()).as("the connection has the same id").isEqualTo(id);
        // The hub rejects messages of a former leader until it sends presence data without a claim (rule C21).
        ann.enter(DESK, "waits");
        ann.publish(DESK, "after");
        ben.enter(DESK, "leader");
        print("from SIGKILL of the leader's node until another client leads", killed);
        ben.awaitPresence(PresenceAction.LEAVE, "cleo");
        print("from SIGKILL of its node until a member that does not return has left", killed);
        ben.publish(DESK, "end");
        ann.awaitText("end");
        ben.awaitText("end");
        assertThat(ben.texts()).containsExactly("before", "after", "end");
        assertThat(ann.texts()).containsExactly("before", "after", "end");
    }

    @Test
    void a_node_without_redis_disconnects_its_clients_until_it_reconnects() throws Exception {
        assumeTrue(Namespace.isPossible(), "SKIPPED: a network namespace needs root and the program ip (iproute2)");
        try (Namespace namespace = Namespace.open()) {
            String redisAddress = namespace.storeAddress().getHostAddress();
            startRedis(redisAddress);
            HubProcess cut = node(namespace.prefix(), namespace.insideAddress().getHostAddress(), redisAddress);
            HubProcess there = node(List.of(), LOCAL, redisAddress);
            HubClient ben = new HubClient("ben").connect(there).attach(DESK);
            HubClient ann = new HubClient("ann").connect(cut).attach(DESK);
            ann.enter(DESK, "leader");
            ann.publish(DESK, "before");
            ben.awaitText("before");
            String id = ann.connectionId();
            long cutAt = System.nanoTime();
            namespace.cut();
            ann.await(frame -> frame.action() == Action.DISCONNECTED);
            print("from the cut until a client was disconnected", cutAt);
            ann.connect(there).attach(DESK);
            assertThat(ann.connectionId()).as("the connection has the same id").isEqualTo(id);
            ben.awaitPresence(PresenceAction.UPDATE, "ann");
            ben.enter(DESK, "leader");
            print("from the cut until another client leads", cutAt);
            ann.enter(DESK, "waits");
            ann.publish(DESK, "after");
            namespace.heal();
            HubClient cleo = new HubClient("cleo").connect(cut).attach(DESK);
            cleo.publish(DESK, "end");
            ann.awaitText("end");
            ben.awaitText("end");
            assertThat(ben.texts()).containsExactly("before", "after", "end");
            assertThat(ann.texts()).containsExactly("before", "after", "end");
        }
    }

    private static void print(String what, long sinceNanos) {
        System.out.println(
                "chaos test: " + what + ": " + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNanos) + " ms");
    }
}
