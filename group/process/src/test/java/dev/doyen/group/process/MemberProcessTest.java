package dev.doyen.group.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.cluster.ClusterSettings;
import dev.doyen.elector.AdminAccess;
import dev.doyen.testkit.HeldPorts;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the HTTP responses of ring processes that run in one JVM and use real sockets. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class MemberProcessTest {

    /** The election timeout. It is long, so that a leader does not lose its term if this JVM pauses for a while. */
    private static final Duration ELECTION_TIMEOUT = Duration.ofSeconds(10);

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<MemberProcess> nodes = new ArrayList<>();
    private final HeldPorts held = HeldPorts.withAnother(ClusterSettings.SUSPICION_OFFSET);

    @AfterEach
    void close() {
        nodes.forEach(MemberProcess::close);
        held.close();
    }

    @Test
    void two_processes_report_one_leader_and_its_successor() throws Exception {
        List<Integer> ports = held.take(2);
        MemberProcess first = start("first", ports.get(0), ports);
        assertThat(awaitLeader(first, "first")).contains("\"name\":\"first\"");
        assertThat(get(first.probeAddress(), "/healthz").statusCode()).isEqualTo(200);
        assertThat(get(first.probeAddress(), "/readyz").statusCode()).isEqualTo(200);
        MemberProcess second = start("second", ports.get(1), ports);
        awaitLeader(second, "first");
        assertThat(get(second.electorAddress(), "/v1/elections/orders").body())
                .contains("\"leader\":{\"id\":\"first\",\"term\":1}")
                .contains("\"lastTerm\":1");

        HttpResponse<String> refused = post(second.electorAddress(), "/v1/elections/orders/resign");
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(refused.body())
                .contains("this process does not lead; send the command to \\\"first\\\", which does");
        assertThat(post(first.electorAddress(), "/v1/elections/orders/pause").body())
                .contains("cannot be paused as a whole");
        assertThat(post(first.electorAddress(), "/v1/elections/orders/resign").statusCode())
                .isEqualTo(200);
        awaitLeader(second, "second");
        awaitLeader(first, "second");
        assertThat(put(first.electorAddress(), "/v1/elections/orders/state", "row 5")
                        .body())
                .contains("this process does not lead; send the command to \\\"second\\\", which does");
        assertThat(put(second.electorAddress(), "/v1/elections/orders/state", "row 5")
                        .statusCode())
                .isEqualTo(200);
        assertThat(get(first.electorAddress(), "/v1/elections/orders/state").body())
                .isEqualTo("row 5");
        HttpResponse<String> unknown = post(second.electorAddress(), "/v1/elections/orders/transfer?to=third");
        assertThat(unknown.statusCode()).isEqualTo(404);
        assertThat(unknown.body()).contains("so the leader continues to lead");
        // The first process is still in the cooldown after its resignation. The transfer ends the cooldown (rule H2).
        HttpResponse<String> transfer =
                post(second.electorAddress(), "/v1/elections/orders/transfer?to=first&wait=60s");
        assertThat(transfer.statusCode()).isEqualTo(200);
        assertThat(transfer.body()).contains("\\\"first\\\" leads now, in term ");
        // The other process may report the leader before the leader itself does.
        awaitLeader(first, "first");
        assertThat(get(first.electorAddress(), "/v1/elections/orders/state").body())
                .isEqualTo("row 5");

        assertThat(metrics(first))
                .contains("doyen_is_leader{election=\"orders\"} 1\n")
                .contains("doyen_transitions_total{election=\"orders\",reason=\"elected\"} 2\n")
                .contains("doyen_transitions_total{election=\"orders\",reason=\"resigned\"} 1\n")
                .contains("doyen_ring_members{election=\"orders\"} 2\n")
                .contains("doyen_term{election=\"orders\"} 3\n");
        assertThat(metrics(second))
                .contains("doyen_is_leader{election=\"orders\"} 0\n")
                .contains("doyen_lease_remaining_seconds{election=\"orders\"} 0.0\n")
                .contains("doyen_transitions_total{election=\"orders\",reason=\"transferred\"} 1\n")
                .contains("doyen_ring_messages_sent_total{election=\"orders\",kind=\"transfer\"} 1\n")
                .containsPattern("doyen_ring_messages_sent_total\\{election=\"orders\",kind=\"election\"} [1-9]")
                .containsPattern("doyen_ring_messages_sent_total\\{election=\"orders\",kind=\"heartbeat\"} [1-9]")
                .contains("doyen_ring_messages_dropped_total{election=\"orders\",reason=\"other_algorithm\"} 0\n");

        first.leave();
        first.await();
        assertThat(awaitLeader(second, "second")).contains("second");
    }

    /** Reads the event stream until an event contains this leader. */
    private String awaitLeader(MemberProcess node, String leader) throws IOException, InterruptedException {
        var request = HttpRequest.newBuilder(uri(node.electorAddress(), "/sse")).build();
        HttpResponse<java.io.InputStream> stream = http.send(request, BodyHandlers.ofInputStream());
        try (var lines = new BufferedReader(new InputStreamReader(stream.body(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.contains("\"name\":\"" + leader + "\"")) {
                    return line;
                }
            }
        }
        throw new AssertionError("the stream ended before it named " + leader);
    }

    private String metrics(MemberProcess node) throws IOException, InterruptedException {
        return get(node.probeAddress(), "/metrics").body();
    }

    private MemberProcess start(String id, int port, List<Integer> peers) throws Exception {
        held.release(port);
        var node = new MemberProcess(SampleSettings.memberSettings(
                SampleSettings.ringElection(ELECTION_TIMEOUT),
                "test-node",
                id,
                port,
                peers,
                SampleSettings.ANY,
                AdminAccess.LOOPBACK));
        nodes.add(node);
        return node;
    }

    private HttpResponse<String> get(InetSocketAddress address, String path) throws IOException, InterruptedException {
        return http.send(HttpRequest.newBuilder(uri(address, path)).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> put(InetSocketAddress address, String path, String body)
            throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(uri(address, path))
                        .PUT(BodyPublishers.ofString(body))
                        .build(),
                BodyHandlers.ofString());
    }

    private HttpResponse<String> post(InetSocketAddress address, String path) throws IOException, InterruptedException {
        return http.send(
                HttpRequest.newBuilder(uri(address, path))
                        .POST(BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
    }

    private static URI uri(InetSocketAddress address, String path) {
        return URI.create("http://127.0.0.1:" + address.getPort() + path);
    }
}
