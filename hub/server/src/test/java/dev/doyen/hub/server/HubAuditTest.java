package dev.doyen.hub.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.doyen.elector.audit.AuditFile;
import dev.doyen.elector.http.RawSocket;
import dev.doyen.elector.http.RawWebSocket;
import dev.doyen.hub.Hub;
import dev.doyen.hub.auth.Capability;
import dev.doyen.hub.auth.HubKey;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.server.claims.ClaimRegistry;
import dev.doyen.hub.server.claims.ClaimSettings;
import dev.doyen.hub.settings.HubSettings;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the records that a hub writes to its audit log. */
final class HubAuditTest {

    private static final String READER = "app.reader:only-reads";
    private static final String ROOM = RunningServer.CHANNEL;

    @TempDir
    private Path directory;

    @Test
    void the_log_names_who_sent_a_command_and_whom_the_hub_rejected() throws Exception {
        Path file = directory.resolve("audit.log");
        var keys = HubKeys.ofKeys(List.of(
                HubKey.of(RunningServer.KEY), HubKey.of(READER).with(Capability.parse("{\"*\":[\"subscribe\"]}"))));
        var rules = HubSettings.defaults();
        var settings = RunningServer.settings(AuditFile.appendTo(file));
        var claims = ClaimRegistry.open("memory:" + UUID.randomUUID(), ClaimSettings.of(Duration.ofSeconds(5), ROOM));
        try (var server = HubServer.start(
                settings,
                new Hub(rules, keys),
                RunningServer.ADMIN_KEY.or(new KeyedAdmins(keys, rules)),
                HubPages.CLIENT_ONLY,
                claims)) {
            InetSocketAddress hub = server.hubAddress();
            try (var socket = new RawWebSocket(hub, "?key=app.id:wrong-secret&v=4&format=json")) {
                assertThat(socket.read().text()).contains("40101");
            }
            try (var socket = new RawWebSocket(hub, "?key=" + READER + "&clientId=eve&v=4&format=json")) {
                assertThat(socket.read().text()).contains("\"action\":4");
                socket.send("{\"action\":10,\"channel\":\"" + ROOM + "\",\"flags\":131072}");
                String answer = socket.read().text();
                assertThat(answer).contains("40160");
            }
            assertThat(request(hub, "GET /channels/a/messages", "Basic " + base64("app.id:guess")))
                    .startsWith("HTTP/1.1 401 ");
            assertThat(request(hub, "GET /console/events", "Bearer guess")).startsWith("HTTP/1.1 401 ");
            InetSocketAddress elector = server.electorAddress();
            String pause = "POST /v1/elections/" + ROOM + "/pause";
            assertThat(request(elector, pause, RunningServer.ADMIN)).startsWith("HTTP/1.1 202 ");
            assertThat(request(elector, pause, "Basic " + base64(RunningServer.KEY)))
                    .startsWith("HTTP/1.1 202 ");
            assertThat(request(elector, pause, "Basic " + base64(READER))).startsWith("HTTP/1.1 403 ");
        }

        List<JsonNode> lines = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            lines.add(new ObjectMapper().readTree(line));
        }
        assertThat(lines)
                .extracting(line -> line.path("event").asText())
                .containsExactly(
                        "login_failed",
                        "not_allowed",
                        "login_failed",
                        "login_failed",
                        "admin_command",
                        "admin_command",
                        "admin_rejected");
        assertThat(lines)
                .allSatisfy(line -> assertThat(line.path("address").asText()).isEqualTo("127.0.0.1"));
        JsonNode denied = lines.get(1);
        assertThat(denied.path("key").asText()).isEqualTo("app.reader");
        assertThat(denied.path("client_id").asText()).isEqualTo("eve");
        assertThat(denied.path("channel").asText()).isEqualTo(ROOM);
        assertThat(denied.path("code").asInt()).isEqualTo(40160);
        assertThat(lines.get(4).path("by").asText()).isEqualTo("the admin key");
        assertThat(lines.get(4).path("command").asText()).isEqualTo("pause");
        assertThat(lines.get(4).path("election").asText()).isEqualTo(ROOM);
        assertThat(lines.get(4).path("status").asInt()).isEqualTo(202);
        assertThat(lines.get(5).path("by").asText()).isEqualTo("the key \"app.id\"");
        assertThat(Files.readString(file))
                .doesNotContain("wrong-secret")
                .doesNotContain("the-secret")
                .doesNotContain("only-reads")
                .doesNotContain("guess")
                .doesNotContain(RunningServer.ADMIN_KEY.text());
    }

    private static String request(InetSocketAddress address, String line, String authorization) throws Exception {
        try (var socket = new RawSocket(address)) {
            return socket.send(line + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: " + authorization
                            + "\r\nContent-Length: 0\r\n\r\n")
                    .readResponse();
        }
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
