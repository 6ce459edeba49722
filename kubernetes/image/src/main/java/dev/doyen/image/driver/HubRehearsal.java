package dev.doyen.image.driver;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/**
 * Rehearses {@code doyen hub} with two clients.
 *
 * <p>One client has the key, and the other client has a token. Both clients claim the leadership of a channel, and one
 * client gets it. The leader publishes a message. The rehearsal sends requests to all HTTP ports, and stops the hub
 * while the clients are connected.
 */
final class HubRehearsal {

    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(20);
    private static final String KEY = "rehearsal.key:a-secret-that-only-a-rehearsal-uses";
    private static final String ADMIN_KEY = "the-admin-key-of-a-rehearsal";
    private static final String CHANNEL = "orders";
    private static final String SETTINGS = """
            channels:
            - {channel: orders, history: 10}
            limits: {connections: 100}
            """;

    private final Path home;
    private final Path scratch;
    private final List<String> java;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** The parameters have the same meaning as in {@link Rehearsal}. */
    HubRehearsal(Path home, Path scratch, List<String> java) {
        this.home = home;
        this.scratch = scratch;
        this.java = java;
    }

    void play() throws Exception {
        var settings = Files.writeString(scratch.resolve("hub.yaml"), SETTINGS);
        int port = Rehearsal.freePort();
        int electorPort = Rehearsal.freePort();
        int probePort = Rehearsal.freePort();
        try (var hub = RunningProgram.start(
                home,
                scratch.resolve("hub.log"),
                Map.of("DOYEN_KEY", KEY, "DOYEN_ADMIN_KEY", ADMIN_KEY),
                java,
                List.of(
                        "--bind=0.0.0.0",
                        "--data=" + scratch.resolve("data"),
                        "--settings=" + settings,
                        "--election=" + CHANNEL,
                        "--port=" + port,
                        "--elector-port=" + electorPort,
                        "--probe-port=" + probePort,
                        "--drain=100ms"))) {
            var probes = root(probePort);
            hub.whileItRuns(
                    "the hub is ready", () -> !get(probes.resolve("/readyz")).isEmpty());
            var hubRoot = root(port);
            var token = "accessToken=" + token(hubRoot);
            try (var first = HubClient.attached(http, port, "key=" + KEY, "tab-1", CHANNEL);
                    var second = HubClient.attached(http, port, token, "tab-2", CHANNEL)) {
                expect(HubClient.ACK, first.claim().path("action").asInt(), "the first claim");
                expect(HubClient.NACK, second.claim().path("action").asInt(), "the second claim");
                expect(HubClient.ACK, first.publish("hello").path("action").asInt(), "the message");
                second.await(HubClient.MESSAGE);
                var elector = root(electorPort);
                hub.whileItRuns("GET / names the leader", () -> get(elector).contains("\"tab-1\""));
                get(elector.resolve("/v1/elections/" + CHANNEL));
                get(probes.resolve("/healthz"));
                get(hubRoot.resolve("/time"));
                get(hubRoot.resolve("/channels/" + CHANNEL + "/messages?format=msgpack"));
                get(hubRoot.resolve("/channels/" + CHANNEL + "/presence"));
                hub.endByTerm();
            }
        }
    }

    private static void expect(int expected, int action, String what) {
        if (action != expected) {
            throw new IllegalStateException(
                    "the rehearsed hub answered " + what + " with action " + action + " instead of " + expected);
        }
    }

    private static URI root(int port) {
        return URI.create("http://127.0.0.1:" + port + "/");
    }

    /** Requests a token for the second client. */
    private String token(URI hub) throws IOException, InterruptedException {
        var name = KEY.substring(0, KEY.indexOf(':'));
        var request = request(hub.resolve("/keys/" + name + "/requestToken"))
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString("{\"clientId\": \"tab-2\"}"))
                .build();
        return new ObjectMapper().readTree(send(request, 201)).path("token").asText();
    }

    /** Sends a GET request. Throws IOException if the status is not 200. */
    private String get(URI uri) throws IOException, InterruptedException {
        return send(request(uri).build(), 200);
    }

    private static HttpRequest.Builder request(URI uri) {
        var key = Base64.getEncoder().encodeToString(KEY.getBytes(StandardCharsets.US_ASCII));
        return HttpRequest.newBuilder(uri).timeout(ANSWER_WITHIN).header("Authorization", "Basic " + key);
    }

    private String send(HttpRequest request, int status) throws IOException, InterruptedException {
        var answer = http.send(request, BodyHandlers.ofString());
        if (answer.statusCode() != status) {
            throw new IOException(request.uri() + " answered " + answer.statusCode());
        }
        return answer.body();
    }
}
