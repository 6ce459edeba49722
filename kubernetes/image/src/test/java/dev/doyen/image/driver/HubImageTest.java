package dev.doyen.image.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.doyen.image.chart.HubChart;
import dev.doyen.postgresserver.PostgresServer;
import dev.doyen.testkit.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs the image of the hub with the arguments, settings and volumes of the chart.
 *
 * <p>The container has a read-only file system, and runs as user 1069.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class HubImageTest {

    private static final Map<String, String> KEYS =
            Map.of("DOYEN_KEY", HubPod.KEY, "DOYEN_ADMIN_KEY", "the-admin-key-of-the-tests");

    @TempDir
    Path folder;

    @BeforeEach
    void check() throws Exception {
        Container.assumePossible();
    }

    @Test
    void a_read_only_hub_elects_and_its_terms_rise_across_a_restart() throws Exception {
        var objects = HubChart.render(HubChart.ONE_NODE, "settings.limits.connections=1000000");
        var data = Files.createDirectory(folder.resolve("data"));
        long term;
        try (var pod = HubPod.start(objects, folder, data, KEYS)) {
            System.out.printf("doyen-hub: ready after %d ms%n", pod.container().ageMillis());
            assertThat(pod.container().status("Uid")).isEqualTo("1069\t1069\t1069\t1069");
            try (var first = pod.client("tab-1", "main");
                    var second = pod.client("tab-2", "main")) {
                term = term(pod, first, "tab-1");
                assertThat(second.claim().path("action").asInt()).isEqualTo(HubClient.NACK);
                System.out.printf(
                        "doyen-hub: with a leader after %d ms VmRSS %s, RssAnon %s%n",
                        pod.container().ageMillis(),
                        pod.container().status("VmRSS"),
                        pod.container().status("RssAnon"));
                // The hub prints this line only if the runtime contains the module that reads the limit of file
                // descriptors.
                assertThat(pod.container().output()).contains("its connection limits need 10");
                assertThat(pod.container().endByTerm())
                        .as(pod.container().output())
                        .isZero();
            }
        }
        try (var pod = HubPod.start(objects, folder, data, KEYS);
                var client = pod.client("tab-3", "main")) {
            assertThat(term(pod, client, "tab-3")).isGreaterThan(term);
        }
    }

    @Test
    void sigterm_asks_the_clients_to_reconnect_and_releases_the_lease() throws Exception {
        var objects = HubChart.render(HubChart.ONE_NODE, "claimTtl=60s", "drainSeconds=1");
        var data = Files.createDirectory(folder.resolve("data"));
        try (var pod = HubPod.start(objects, folder, data, KEYS);
                var leader = pod.client("tab-1", "main");
                var follower = pod.client("tab-2", "main")) {
            term(pod, leader, "tab-1");

            assertThat(pod.container().endByTerm()).as(pod.container().output()).isZero();

            assertThat(follower.await(HubClient.DISCONNECTED).at("/error/code").asInt())
                    .isEqualTo(80003);
            assertThat(leader.await(HubClient.DISCONNECTED).at("/error/code").asInt())
                    .isEqualTo(80003);
        }
        // Without a release, the next claim would wait for the ttl of 60 s, and the hub would reject it after 10 s.
        try (var pod = HubPod.start(objects, folder, data, KEYS);
                var client = pod.client("tab-3", "main")) {
            term(pod, client, "tab-3");
        }
    }

    @Test
    void two_nodes_share_redis_and_a_database() throws Exception {
        ServerProcess.assumeInstalled("the image of the hub with two nodes", "redis-server", "redis-server");
        try (var redis = ServerProcess.start(
                        folder.resolve("redis.log"),
                        port -> List.of(
                                "redis-server",
                                "--bind",
                                "127.0.0.1",
                                "--port",
                                Integer.toString(port),
                                "--save",
                                "",
                                "--requirepass",
                                "guess"));
                var postgres = PostgresServer.start(Files.createDirectory(folder.resolve("postgres")))) {
            var objects = HubChart.render(
                    HubChart.NODES,
                    "tls.secretName=",
                    "settings.nodes.redis=redis://:${REDIS_PASSWORD}@127.0.0.1:" + redis.port(),
                    "store=$(STORE_URL)");
            var secret = Map.of(
                    "DOYEN_KEY", HubPod.KEY,
                    "DOYEN_ADMIN_KEY", "the-admin-key-of-the-tests",
                    "PAGES_SECRET", "a-secret-for-the-pages",
                    "REDIS_PASSWORD", "guess",
                    "STORE_URL", postgres.url());
            try (var one = HubPod.start(objects, folder, Files.createDirectory(folder.resolve("one")), secret)
                            .joined();
                    var two = HubPod.start(objects, folder, Files.createDirectory(folder.resolve("two")), secret)
                            .joined();
                    var leader = one.client("tab-1", "main");
                    var other = two.client("tab-2", "main")) {
                term(one, leader, "tab-1");
                assertThat(other.claim().path("action").asInt()).isEqualTo(HubClient.NACK);
                leader.publish("hello");
                assertThat(other.await(HubClient.MESSAGE).at("/messages/0/data").asText())
                        .isEqualTo("hello");
                assertThat(two.probe("/readyz")).isEqualTo(200);
            }
        }
    }

    /** Claims the leadership, waits until the elector API names the client, and returns the term. */
    private static long term(HubPod pod, HubClient client, String id) throws Exception {
        JsonNode answer = client.claim();
        assertThat(answer.path("action").asInt()).as("%s", answer).isEqualTo(HubClient.ACK);
        Waiting.until("GET / names " + id, () -> pod.leader().contains("\"" + id + "\""));
        return new ObjectMapper()
                .readTree(pod.election("main"))
                .at("/leader/term")
                .asLong();
    }
}
