package dev.doyen.hub.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.doyen.elector.console.ConsoleFeed;
import dev.doyen.elector.http.RawWebSocket;
import dev.doyen.hub.auth.Capability;
import dev.doyen.hub.auth.HubKey;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.server.HubServer;
import dev.doyen.hub.server.RunningServer;
import dev.doyen.hub.server.claims.ClaimRegistry;
import dev.doyen.hub.server.claims.ClaimSettings;
import dev.doyen.hub.settings.HubSettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the console of a real hub over real sockets. */
@Timeout(180)
class ConsoleOverHttpTest {

    private static final Duration CLAIM_TTL = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void end() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    @Test
    void the_console_shows_members_leaders_and_rejections() throws Exception {
        var server = start("127.0.0.1");
        var snapshots = snapshots(events(server, "127.0.0.1", RunningServer.ADMIN));
        assertThat(snapshots.next().path("connections").asInt()).isZero();

        var ann = leader(server, "ann", "orders");
        ann.send("{\"action\":15,\"msgSerial\":1,\"channel\":\"orders\",\"messages\":[{\"data\":\"x\","
                + "\"extras\":{\"headers\":{\"doyen-term\":99}}}]}");

        JsonNode snapshot = snapshots.until(seen -> seen.path("leadersInAll").asInt() == 1
                && seen.path("refused").asInt() == 1
                && !seen.path("leaderships").isEmpty());
        assertThat(snapshot.path("connections").asInt()).isEqualTo(1);
        assertThat(snapshot.at("/channels/0/name").asText()).isEqualTo("orders");
        assertThat(snapshot.at("/channels/0/leader/id").asText()).isEqualTo("ann");
        assertThat(snapshot.at("/channels/0/members/0/leads").asBoolean()).isTrue();
        assertThat(snapshot.at("/leaderships/0/id").asText()).isEqualTo("ann");
        assertThat(snapshot.at("/leaderships/0").has("to")).isFalse();
        assertThat(snapshot.at("/refusals/0/client").asText()).isEqualTo("ann");
        assertThat(snapshot.at("/refusals/0/channel").asText()).isEqualTo("orders");
        assertThat(snapshot.at("/refusals/0/sentence").asText()).startsWith("fence 99 > ");
        assertThat(snapshot.path("received").asInt()).isEqualTo(1);

        ann.send("{\"action\":14,\"msgSerial\":2,\"channel\":\"orders\",\"presence\":[{\"action\":3}]}");
        snapshot = snapshots.until(seen -> seen.at("/leaderships/0").has("to"));
        assertThat(snapshot.path("leadersInAll").asInt()).isZero();
    }

    @Test
    void on_loopback_the_console_needs_the_admin_key_or_admin_rights() throws Exception {
        var server = start("127.0.0.1");

        assertThat(status(server, null)).isEqualTo(401);
        assertThat(status(server, "Bearer " + "x".repeat(26))).isEqualTo(401);
        assertThat(status(server, "Basic " + base64("app.look:calm"))).isEqualTo(401);
        assertThat(status(server, RunningServer.ADMIN)).isEqualTo(200);
        assertThat(status(server, "Bearer " + base64(RunningServer.ADMIN_KEY.text())))
                .as("the key is accepted in the form that the page sends")
                .isEqualTo(200);
        assertThat(status(server, "Basic " + base64(RunningServer.KEY))).isEqualTo(200);
    }

    @Test
    void on_a_network_the_console_needs_admin_rights() throws Exception {
        var server = start("0.0.0.0");

        assertThat(status(server, null)).isEqualTo(401);
        assertThat(status(server, "Basic " + base64("app.look:calm"))).isEqualTo(401);
        assertThat(status(server, "Basic " + base64("app.id:wrong"))).isEqualTo(401);
        assertThat(status(server, "Basic " + base64(RunningServer.KEY))).isEqualTo(200);
        assertThat(snapshots(events(server, "127.0.0.1", "Basic " + base64(RunningServer.KEY)))
                        .next()
                        .has("connections"))
                .isTrue();
    }

    @Test
    void the_console_shows_allowed_commands_and_paused_elections() throws Exception {
        var server = start("0.0.0.0");
        leader(server, "ann", "orders");
        leader(server, "ben", "jobs");
        var ofAll = snapshots(events(server, "127.0.0.1", "Basic " + base64(RunningServer.KEY)));
        var ofOne = snapshots(events(server, "127.0.0.1", "Basic " + base64("app.orders:of-one")));

        JsonNode snapshot = ofAll.until(seen ->
                elections(seen, "orders").size() == 1 && elections(seen, "jobs").size() == 1);
        assertThat(channel(snapshot, "orders").path("maySendCommands").asBoolean())
                .isTrue();
        assertThat(channel(snapshot, "jobs").path("maySendCommands").asBoolean())
                .isTrue();
        assertThat(elections(snapshot, "orders").get(0).toString())
                .isEqualTo("{\"name\":\"orders\",\"slot\":\"leader/1\",\"leader\":{\"id\":\"ann\",\"term\":1}}");
        snapshot = ofOne.until(seen -> !channel(seen, "orders").isMissingNode());
        assertThat(channel(snapshot, "orders").path("maySendCommands").asBoolean())
                .isTrue();
        assertThat(channel(snapshot, "jobs").path("maySendCommands").asBoolean())
                .isFalse();

        http.send(
                request(server, "127.0.0.1", "/console/v1/elections/orders/pause?reason=a+backup")
                        .header("Authorization", "Basic " + base64("app.orders:of-one"))
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build(),
                BodyHandlers.discarding());
        snapshot = ofOne.until(seen -> elections(seen, "orders").path(0).has("paused"));
        assertThat(elections(snapshot, "orders").path(0).path("paused").asText())
                .isEqualTo("the election was paused by the key \"app.orders\" through the hub (a backup)");
        var paused = snapshots(events(server, "127.0.0.1", RunningServer.ADMIN, "?show=paused"));
        snapshot = paused.next();
        assertThat(snapshot.path("channels")).hasSize(1);
        assertThat(snapshot.at("/channels/0/name").asText()).isEqualTo("orders");
    }

    @Test
    void the_number_of_open_consoles_is_limited() throws Exception {
        var server = start("127.0.0.1");
        var streams = new ArrayList<InputStream>();
        for (int i = 0; i < ConsoleFeed.MAX_WATCHERS; i++) {
            var stream = events(server, "127.0.0.1", RunningServer.ADMIN).body();
            streams.add(stream);
            open.add(stream);
        }
        var refused = events(server, "127.0.0.1", RunningServer.ADMIN);
        assertThat(refused.statusCode()).isEqualTo(503);
        assertThat(new String(refused.body().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("There are already 16 open consoles; close one of them first.\n");

        streams.get(0).close();

        var next = events(server, "127.0.0.1", RunningServer.ADMIN);
        while (next.statusCode() == 503) {
            next = events(server, "127.0.0.1", RunningServer.ADMIN);
        }
        assertThat(snapshots(next).next().has("connections")).isTrue();
    }

    @Test
    void the_console_path_serves_only_get_requests() throws Exception {
        var server = start("127.0.0.1");
        var moved = http.send(request(server, "127.0.0.1", "/console").build(), BodyHandlers.ofString());
        assertThat(moved.statusCode()).isEqualTo(308);
        assertThat(moved.headers().firstValue("Location")).contains("/console/");
        var unknown = http.send(
                request(server, "127.0.0.1", "/console/events?show=some")
                        .header("Authorization", RunningServer.ADMIN)
                        .build(),
                BodyHandlers.ofString());
        assertThat(unknown.statusCode()).isEqualTo(400);
        assertThat(unknown.body()).contains("Use all, led, vacant or paused.");
        var posted = http.send(
                request(server, "127.0.0.1", "/console/events")
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build(),
                BodyHandlers.ofString());
        assertThat(posted.statusCode()).isEqualTo(405);
        var nothing = http.send(
                request(server, "127.0.0.1", "/console/../config.json").build(), BodyHandlers.ofString());
        assertThat(nothing.statusCode()).isEqualTo(404);
    }

    private HubServer start(String bind) throws Exception {
        var keys = HubKeys.ofKeys(List.of(
                HubKey.of(RunningServer.KEY),
                HubKey.of("app.orders:of-one").with(Capability.parse("{\"orders\":[\"admin\"]}")),
                HubKey.of("app.look:calm").with(Capability.parse("{\"*\":[\"subscribe\",\"publish\",\"lead\"]}"))));
        var server = RunningServer.withHub(
                InetAddress.getByName(bind),
                HubSettings.builder().maxClaimTtl(CLAIM_TTL).build(),
                keys,
                ClaimRegistry.open("file:" + folder, ClaimSettings.of(CLAIM_TTL, RunningServer.CHANNEL)));
        open.add(server);
        return server;
    }

    private RawWebSocket leader(HubServer server, String id, String channel) throws IOException {
        var address = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), server.hubAddress().getPort());
        var socket = new RawWebSocket(address, "?key=" + RunningServer.KEY + "&clientId=" + id);
        open.add(socket);
        socket.read();
        socket.send("{\"action\":14,\"msgSerial\":0,\"channel\":\"" + channel
                + "\",\"presence\":[{\"action\":2,\"data\":\"leader\"}]}");
        while (!socket.read().text().startsWith("{\"action\":1,")) {
            // Wait until the claim is acknowledged.
        }
        return socket;
    }

    private static JsonNode channel(JsonNode snapshot, String name) {
        for (JsonNode channel : snapshot.path("channels")) {
            if (channel.path("name").asText().equals(name)) {
                return channel;
            }
        }
        return MissingNode.getInstance();
    }

    private static JsonNode elections(JsonNode snapshot, String channel) {
        return channel(snapshot, channel).path("elections");
    }

    private int status(HubServer server, String authorization) throws Exception {
        var answer = events(server, "127.0.0.1", authorization);
        answer.body().close();
        return answer.statusCode();
    }

    private HttpResponse<InputStream> events(HubServer server, String host, String authorization)
            throws IOException, InterruptedException {
        return events(server, host, authorization, "");
    }

    private HttpResponse<InputStream> events(HubServer server, String host, String authorization, String query)
            throws IOException, InterruptedException {
        var request = request(server, host, "/console/events" + query);
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        return http.send(request.build(), BodyHandlers.ofInputStream());
    }

    private static HttpRequest.Builder request(HubServer server, String host, String path) {
        return HttpRequest.newBuilder(
                URI.create("http://" + host + ":" + server.hubAddress().getPort() + path));
    }

    private Snapshots snapshots(HttpResponse<InputStream> answer) {
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.headers().firstValue("Content-Type")).contains("text/event-stream");
        open.add(answer.body());
        return new Snapshots(new BufferedReader(new InputStreamReader(answer.body(), StandardCharsets.UTF_8)));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    private record Snapshots(BufferedReader lines) {

        private static final ObjectMapper JSON = new ObjectMapper();

        JsonNode next() throws IOException {
            String line = lines.readLine();
            while (!line.startsWith("data: ")) {
                line = lines.readLine();
            }
            return JSON.readTree(line.substring(6));
        }

        /** Reads events until one event matches. The console sends at most one event per second. */
        JsonNode until(Predicate<JsonNode> condition) throws IOException {
            JsonNode snapshot = next();
            while (!condition.test(snapshot)) {
                snapshot = next();
            }
            return snapshot;
        }
    }
}
