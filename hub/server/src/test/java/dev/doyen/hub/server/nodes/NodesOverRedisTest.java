package dev.doyen.hub.server.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.http.RawSocket;
import dev.doyen.hub.Hub;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.server.HubPages;
import dev.doyen.hub.server.HubServer;
import dev.doyen.hub.server.KeyedAdmins;
import dev.doyen.hub.server.RunningServer;
import dev.doyen.hub.server.claims.ClaimRegistry;
import dev.doyen.hub.server.claims.ClaimSettings;
import dev.doyen.hub.server.websocket.SessionLimits;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.jvms.Patience;
import dev.doyen.stores.local.FileLeaseStore;
import dev.doyen.testkit.ServerProcess;
import dev.doyen.testkit.TcpProxy;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests a hub of one to three nodes through its clients, also after faults. All nodes run in this JVM. The test starts
 * its own Redis server.
 */
@Timeout(180)
class NodesOverRedisTest {

    private static final String TALK = "talk";
    private static final Patience PATIENCE = new Patience(Duration.ofSeconds(90));
    /** The ttl of the nodes. This ttl is so long that a node stays a member even if this JVM pauses for a while. */
    private static final Duration TTL = Duration.ofSeconds(20);

    /**
     * The ttl of claims. A claim of a killed node ends after this time. This time is shorter than the 10 s for which
     * the next claim waits for its decision.
     */
    private static final Duration CLAIM_TTL = Duration.ofSeconds(5);

    /** The ttl of the nodes in tests that wait until a node loses its membership. */
    private static final Duration SHORT_TTL = Duration.ofSeconds(3);

    @TempDir
    Path folder;

    private ServerProcess redis;
    private final List<HubServer> servers = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        RedisServers.assumeInstalled();
        redis = RedisServers.start(folder, "--appendonly", "yes", "--appendfsync", "always");
    }

    @AfterEach
    void stop() throws Exception {
        for (HubServer server : servers) {
            server.close();
        }
        redis.close();
    }

    private HubServer node() throws Exception {
        return node(TTL);
    }

    private HubServer node(Duration ttl) throws Exception {
        return node(ttl, redis.port());
    }

    private HubServer node(Duration ttl, int redisPort) throws Exception {
        return node(ttl, redisPort, "test");
    }

    private HubServer node(Duration ttl, int redisPort, String hub) throws Exception {
        var settings = HubSettings.builder().build();
        var keys = HubKeys.of(List.of(NodeClient.KEY));
        var link = new NodeLink(new NodeSettings(
                "redis://127.0.0.1:" + redisPort,
                hub,
                ttl,
                10_000,
                settings.storedAcksPerConnection(),
                settings.connectionStateTtl()));
        var claims = ClaimRegistry.open("file:" + folder.resolve("claims"), ClaimSettings.of(CLAIM_TTL, TALK));
        var server = HubServer.start(
                RunningServer.settings(SessionLimits.DEFAULT),
                Hub.node(settings, keys),
                new KeyedAdmins(keys, settings),
                HubPages.CLIENT_ONLY,
                claims,
                Optional.of(link));
        servers.add(server);
        return server;
    }

    /** Connects a client as soon as this node accepts clients. */
    private static NodeClient client(HubServer node, String clientId) throws Exception {
        return Joining.client(node.hubAddress(), clientId);
    }

    @Test
    void a_node_is_ready_only_while_it_is_a_member_of_the_group() throws Exception {
        HubServer joined = node();
        client(joined, "ann").attach(TALK);
        // The hub accepts clients shortly before the thread of the link reports that the node has joined.
        PATIENCE.await("the node has joined", () -> !ready(joined).contains("has not joined the other nodes"));

        HubServer alone = node(TTL, ServerProcess.freePort());
        assertThat(ready(alone)).startsWith("HTTP/1.1 503 ").contains("has not joined the other nodes");
    }

    private static String ready(HubServer node) throws Exception {
        try (var socket = new RawSocket(node.probeAddress())) {
            return socket.send("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .readResponse();
        }
    }

    @Test
    void messages_of_three_nodes_have_one_order() throws Exception {
        var clients = new ArrayList<NodeClient>();
        for (int i = 0; i < 3; i++) {
            clients.add(client(node(), "c" + i).attach(TALK));
        }
        for (int n = 0; n < 100; n++) {
            for (NodeClient each : clients) {
                each.publish(TALK, each.connectionId() + n);
            }
        }
        for (NodeClient listener : clients) {
            while (listener.texts().size() < 300) {
                listener.await(frame -> frame.action() == Action.MESSAGE);
            }
        }
        assertThat(clients.get(1).texts())
                .doesNotHaveDuplicates()
                .isEqualTo(clients.get(0).texts());
        assertThat(clients.get(2).texts()).isEqualTo(clients.get(0).texts());
    }

    @Test
    void a_client_that_resumes_at_another_node_gets_each_message_once() throws Exception {
        HubServer here = node();
        HubServer there = node();
        NodeClient ben = client(there, "ben").attach(TALK);
        NodeClient ann = client(here, "ann").attach(TALK);
        String id = ann.connectionId();
        ann.awaitAnswer(ann.enter(TALK, "present"));
        ben.awaitPresence(PresenceAction.ENTER, "ann");
        var unanswered = new ArrayList<ProtocolMessage>();
        for (int i = 0; i < 50; i++) {
            ben.publish(TALK, "b" + i);
            unanswered.add(ann.publish(TALK, "a" + i));
        }
        ann.awaitText("b10");
        ann.resumeAt(there.hubAddress());
        assertThat(ann.connectionId()).isEqualTo(id);
        ann.attach(TALK);
        for (ProtocolMessage frame : unanswered) {
            ann.send(frame);
        }
        ann.awaitAnswer(unanswered.get(49));
        ben.awaitAnswer(ben.publish(TALK, "end"));
        ann.awaitText("end");
        assertThat(ann.texts())
                .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 101)
                        .mapToObj(i -> i == 100 ? "end" : i < 50 ? "a" + i : "b" + (i - 50))
                        .toList());
        ann.send(ProtocolMessage.of(Action.CLOSE));
        ben.awaitPresence(PresenceAction.LEAVE, "ann");
    }

    @Test
    void a_leader_is_replaced_on_another_node_with_a_higher_term() throws Exception {
        HubServer here = node();
        HubServer there = node();
        NodeClient ann = client(here, "ann").attach(TALK);
        NodeClient ben = client(there, "ben").attach(TALK);
        ann.awaitAnswer(ann.enter(TALK, "leader"));
        ben.awaitPresence(PresenceAction.ENTER, "ann");
        ben.enter(TALK, "leader");
        ben.await(frame -> frame.action() == Action.NACK);
        ann.send(ProtocolMessage.of(Action.CLOSE));
        ben.awaitPresence(PresenceAction.LEAVE, "ann");
        ben.awaitAnswer(ben.enter(TALK, "leader"));
        ProtocolMessage led = ben.received().stream()
                .filter(frame ->
                        frame.presence() != null && frame.presence().toString().contains("clientId=ben"))
                .reduce((first, second) -> second)
                .orElseThrow();
        assertThat(led.presence().toString()).contains("\"doyen-term\":2");
    }

    @Test
    void members_of_a_stopped_node_can_continue_at_another_at_once() throws Exception {
        HubServer here = node();
        HubServer there = node();
        NodeClient ben = client(there, "ben").attach(TALK);
        NodeClient ann = client(here, "ann").attach(TALK);
        ann.awaitAnswer(ann.enter(TALK, "leader"));
        ben.awaitPresence(PresenceAction.ENTER, "ann");
        here.close();
        servers.remove(here);
        ann.awaitEnd();
        String id = ann.connectionId();
        ann.resumeAt(there.hubAddress());
        assertThat(ann.connectionId()).isEqualTo(id);
        // The update means that ann has lost her claim but is still present.
        ben.awaitPresence(PresenceAction.UPDATE, "ann");
        ben.awaitAnswer(ben.enter(TALK, "leader"));
    }

    @Test
    void all_nodes_count_the_connections_of_all_running_nodes() throws Exception {
        HubServer here = node();
        HubServer there = node();
        NodeClient watcher = client(there, "watcher").attach("[?occupancy=metrics.connections]" + TALK);
        NodeClient ann = client(here, "ann").attach(TALK);
        watcher.awaitText(connections(2));
        HubServer third = node();
        NodeClient ben = client(third, "ben").attach("[?occupancy=metrics.connections]" + TALK);
        ben.awaitText(connections(3));
        watcher.awaitText(connections(3));
        ann.close();
        ben.awaitText(connections(2));
        third.close();
        servers.remove(third);
        watcher.awaitText(connections(1));
    }

    private static String connections(int count) {
        return "{\"metrics\":{\"connections\":" + count + "}}";
    }

    @Test
    void the_lease_of_a_leader_is_released_when_its_node_ends() throws Exception {
        HubServer here = node();
        node();
        NodeClient ann = client(here, "ann").attach(TALK);
        ann.awaitAnswer(ann.enter(TALK, "leader"));
        var reading = new FutureTask<Void>(() -> {
            ann.awaitEnd();
            return null;
        });
        new Thread(reading).start();
        here.close();
        servers.remove(here);
        reading.get();
        assertThat(ann.received())
                .anyMatch(frame -> String.valueOf(frame.presence()).contains("the hub is shutting down"));
        try (var leases = FileLeaseStore.open(folder.resolve("claims"))) {
            assertThat(leases.read(TALK).record().orElseThrow().holder()).isEmpty();
        }
    }

    @Test
    void a_restart_of_redis_within_the_ttl_disconnects_no_client() throws Exception {
        HubServer here = node();
        HubServer there = node();
        NodeClient ann = client(here, "ann").attach(TALK);
        NodeClient ben = client(there, "ben").attach(TALK);
        ann.awaitAnswer(ann.publish(TALK, "before"));
        ben.awaitText("before");
        redis.kill();
        ProtocolMessage meanwhile = ann.publish(TALK, "meanwhile");
        redis.restart();
        ann.awaitAnswer(meanwhile);
        ben.awaitText("meanwhile");
        assertThat(ben.texts()).containsExactly("before", "meanwhile");
    }

    @Test
    void a_reset_connection_to_redis_disconnects_no_client() throws Exception {
        try (var proxy = new TcpProxy(redis.port())) {
            HubServer here = node(TTL, proxy.port());
            HubServer there = node();
            NodeClient ann = client(here, "ann").attach(TALK);
            NodeClient ben = client(there, "ben").attach(TALK);
            ben.awaitAnswer(ben.publish(TALK, "before"));
            ann.awaitText("before");
            redis.freeze();
            ProtocolMessage meanwhile = ann.publish(TALK, "meanwhile");
            proxy.reset();
            redis.thaw();
            ann.awaitAnswer(meanwhile);
            ben.awaitAnswer(ben.publish(TALK, "after"));
            ann.awaitText("after");
            assertThat(ann.texts()).containsExactly("before", "meanwhile", "after");
            assertThat(ann.received()).noneMatch(frame -> frame.action() == Action.DISCONNECTED);
        }
    }

    @Test
    void a_redis_that_is_slow_to_answer_is_waited_for() throws Exception {
        HubServer here = node(Duration.ofSeconds(30));
        NodeClient ann = client(here, "ann").attach(TALK);
        // The Redis client gives up an attempt to connect after 2 s, but has no such limit for a command. Another hub,
        // which disconnects its client after 4 s without an answer, shows that more than 2 s have passed.
        NodeClient watcher = client(node(Duration.ofSeconds(4), redis.port(), "another"), "watcher");
        redis.freeze();
        ProtocolMessage slow = ann.publish(TALK, "slow");
        watcher.awaitEnd();
        redis.thaw();
        ann.awaitAnswer(slow);
        ann.awaitAnswer(ann.publish(TALK, "after"));
        assertThat(ann.texts()).containsExactly("slow", "after");
        assertThat(ann.received()).noneMatch(frame -> frame.action() == Action.DISCONNECTED);
    }

    @Test
    void a_long_outage_of_redis_disconnects_clients_until_it_ends() throws Exception {
        HubServer here = node(SHORT_TTL);
        NodeClient ann = client(here, "ann").attach(TALK);
        ann.awaitAnswer(ann.publish(TALK, "before"));
        String id = ann.connectionId();
        redis.freeze();
        ann.awaitEnd();
        assertThat(ann.received()).anyMatch(frame -> frame.action() == Action.DISCONNECTED);
        redis.thaw();
        Joining.resume(ann, here.hubAddress());
        assertThat(ann.connectionId()).isEqualTo(id);
        ann.attach(TALK);
        ann.awaitAnswer(ann.publish(TALK, "after"));
        assertThat(ann.texts()).containsExactly("before", "after");
    }

    @Test
    void clients_are_disconnected_when_redis_has_lost_its_data() throws Exception {
        HubServer here = node();
        NodeClient ann = client(here, "ann").attach(TALK);
        ann.awaitAnswer(ann.publish(TALK, "before"));
        String id = ann.connectionId();
        redis.kill();
        for (var file : folder.resolve("appendonlydir").toFile().listFiles()) {
            assertThat(file.delete()).isTrue();
        }
        redis.restart();
        ann.awaitEnd();
        Joining.resume(ann, here.hubAddress());
        assertThat(ann.connectionId()).isNotEqualTo(id);
        ProtocolMessage connected = ann.received().stream()
                .filter(frame -> frame.action() == Action.CONNECTED)
                .reduce((first, second) -> second)
                .orElseThrow();
        assertThat(connected.error().code()).isEqualTo(80018);
        ann.attach(TALK);
        ProtocolMessage attached = ann.received().get(ann.received().size() - 1);
        assertThat(attached.error().code()).isEqualTo(90003);
    }

    /** Retries until the node accepts clients, as SDKs do. */
    private static final class Joining {

        interface Attempt {
            NodeClient tried() throws Exception;
        }

        static NodeClient client(InetSocketAddress node, String clientId) throws Exception {
            return until(() -> new NodeClient(node, clientId));
        }

        static void resume(NodeClient client, InetSocketAddress node) throws Exception {
            until(() -> client.resumeAt(node));
        }

        private static NodeClient until(Attempt attempt) throws Exception {
            while (true) {
                try {
                    return attempt.tried();
                } catch (IOException e) {
                    // Retry; the test's time limit ends the loop.
                    LockSupport.parkNanos(20_000_000);
                }
            }
        }
    }
}
