package dev.doyen.hub.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.elector.http.RawSocket;
import dev.doyen.elector.http.RawWebSocket;
import dev.doyen.hub.auth.Capability;
import dev.doyen.hub.auth.HubKey;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.server.HubServer;
import dev.doyen.hub.server.RunningServer;
import dev.doyen.hub.server.claims.ClaimRegistry;
import dev.doyen.hub.server.claims.ClaimSettings;
import dev.doyen.hub.settings.HubSettings;
import java.io.EOFException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests the permissions and effects of admin commands through the console of a real hub. */
@Timeout(180)
class ConsoleAdminCommandsTest {

    private static final Duration CLAIM_TTL = Duration.ofSeconds(30);
    private static final String ROOM = "orders";
    private static final String OF_ROOM = "app.room:calm";
    private static final String READER = "app.look:only-reads";

    private final List<AutoCloseable> open = new ArrayList<>();

    @AfterEach
    void end() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    @Test
    void the_console_page_can_send_commands_with_the_admin_key() throws Exception {
        var server = start("127.0.0.1");
        present(server, "ann", "leader");
        present(server, "bob", "1");

        assertThat(post(server, "orders/resign", fromPage(server, "localhost"), "reason=an+upgrade"))
                .startsWith("HTTP/1.1 200 OK")
                .contains("{\"done\":\"\\\"ann\\\" (term 1) has stepped down\"}");
        assertThat(post(server, RunningServer.CHANNEL + "/resign", fromPage(server, "127.0.0.1"), ""))
                .startsWith("HTTP/1.1 409 ")
                .contains("no candidate leads, so no command was sent");
        assertThat(post(server, "orders/pause", fromPage(server, "LOCALHOST"), ""))
                .startsWith("HTTP/1.1 202 ");
        assertThat(post(server, "orders/resume", fromPage(server, "localhost"), ""))
                .startsWith("HTTP/1.1 200 ")
                .contains("candidates may lead again");
    }

    @Test
    void a_transfer_needs_a_present_member() throws Exception {
        var server = start("127.0.0.1");
        present(server, "ann", "leader");
        present(server, "bob", "1");

        assertThat(post(server, "orders/transfer", fromPage(server, "localhost"), "to=eve"))
                .startsWith("HTTP/1.1 404 ")
                .contains("\\\"eve\\\" is not present on the channel");
        assertThat(post(server, "orders/transfer", fromPage(server, "localhost"), ""))
                .startsWith("HTTP/1.1 400 ");
        assertThat(post(server, "orders/transfer", fromPage(server, "localhost"), "to=bob&wait=0s"))
                .startsWith("HTTP/1.1 202 ");
    }

    @Test
    void without_a_key_no_command_is_accepted_from_any_page_or_proxy() throws Exception {
        var server = start("127.0.0.1");
        present(server, "ann", "leader");
        int port = server.hubAddress().getPort();
        String host = "Host: localhost:" + port + "\r\n";

        for (String headers : List.of(
                host,
                // A client behind a proxy that replaces Host and adds no header can send exactly these headers.
                withoutKey(server, "localhost"),
                withoutKey(server, "localhost") + "X-Forwarded-For: 192.0.2.1\r\n",
                host + "Origin: null\r\n",
                host + "Origin: http://evil.example\r\n",
                // The attacker's page has this domain name, which resolves to this machine (DNS rebinding).
                "Host: evil.example:" + port + "\r\nOrigin: http://evil.example:" + port + "\r\n",
                host + "Authorization: Bearer\r\n",
                host + "Authorization: Bearer " + "x".repeat(26) + "\r\n")) {
            assertThat(post(server, "orders/resign", headers, ""))
                    .as(headers)
                    .startsWith("HTTP/1.1 403 ")
                    .contains("need a key")
                    .doesNotContain(RunningServer.ADMIN_KEY.text());
        }
        assertThat(post(server, "orders/resign", fromPage(server, "localhost"), ""))
                .as("ann has led until this command")
                .contains("\\\"ann\\\" (term 1) has stepped down");
    }

    @Test
    void on_a_network_a_key_is_required_and_sufficient() throws Exception {
        var server = start("0.0.0.0");
        present(server, "ann", "leader");

        assertThat(post(server, "orders/resign", withoutKey(server, "localhost"), ""))
                .startsWith("HTTP/1.1 403 ");
        assertThat(post(server, "orders/resign", "Host: x\r\n" + basic(READER), ""))
                .startsWith("HTTP/1.1 403 ")
                .contains("does not allow admin on this channel")
                .doesNotContain("only-reads");
        assertThat(post(server, "orders/resign", "Host: x\r\n" + basic("app.room:wrong"), ""))
                .startsWith("HTTP/1.1 403 ")
                .contains("its secret is wrong");
        assertThat(post(server, "orders/resign", "Host: x\r\nAuthorization: Bearer x.y.z\r\n", ""))
                .startsWith("HTTP/1.1 403 ")
                .contains("need a key");
        assertThat(post(server, RunningServer.CHANNEL + "/resign", "Host: x\r\n" + basic(OF_ROOM), ""))
                .as("the key does not allow this channel")
                .startsWith("HTTP/1.1 403 ");
        assertThat(post(server, "orders/resign", "Host: x\r\nOrigin: http://y\r\n" + basic(OF_ROOM), ""))
                .startsWith("HTTP/1.1 200 ");
    }

    @Test
    void invalid_commands_are_reported() throws Exception {
        var server = start("127.0.0.1");
        String page = fromPage(server, "localhost");

        assertThat(post(server, "nowhere/resign", page, ""))
                .startsWith("HTTP/1.1 404 ")
                .contains("nothing is known about an election named \\\"nowhere\\\"");
        assertThat(post(server, "orders/dance", page, "")).startsWith("HTTP/1.1 404 ");
        assertThat(post(server, "orders/history", page, "")).startsWith("HTTP/1.1 405 ");
        assertThat(post(server, "orders/resign", page, "reason=" + "x".repeat(70_000)))
                .startsWith("HTTP/1.1 413 ")
                .contains("longer than 65536 bytes");
        assertThat(answer(server, "GET /console/v1/elections HTTP/1.1\r\n" + page + "\r\n"))
                .as("the path accepts no GET request")
                .startsWith("HTTP/1.1 404 ");
        assertThat(answer(server, "DELETE /console/v1/elections HTTP/1.1\r\n" + page + "\r\n"))
                .startsWith("HTTP/1.1 405 ");
    }

    @Test
    void a_request_pipelined_behind_a_command_is_not_processed() throws Exception {
        var server = start("127.0.0.1");
        String command = "POST /console/v1/elections/" + RunningServer.CHANNEL + "/resign HTTP/1.1\r\n"
                + fromPage(server, "localhost") + "Content-Length: 0\r\n\r\n";
        try (var socket = new RawSocket(server.hubAddress())) {
            assertThatThrownBy(() -> socket.send(command + command).readResponse())
                    .as("the connection is closed without an answer")
                    .isInstanceOf(EOFException.class);
        }
    }

    @Test
    void head_of_the_events_has_no_body() throws Exception {
        var server = start("127.0.0.1");
        try (var socket = new RawSocket(server.hubAddress())) {
            socket.send("HEAD /console/events HTTP/1.1\r\nHost: localhost\r\nAuthorization: " + RunningServer.ADMIN
                    + "\r\n\r\n");
            assertThat(socket.readThrough("\r\n\r\n"))
                    .startsWith("HTTP/1.1 200 ")
                    .contains("text/event-stream");
            assertThatThrownBy(socket::readByte).isInstanceOf(EOFException.class);
        }
    }

    private HubServer start(String bind) throws Exception {
        var keys = HubKeys.ofKeys(List.of(
                HubKey.of(RunningServer.KEY),
                HubKey.of(OF_ROOM).with(Capability.parse("{\"" + ROOM + "\":[\"admin\"]}")),
                HubKey.of(READER).with(Capability.parse("{\"*\":[\"subscribe\",\"publish\",\"lead\"]}"))));
        var server = RunningServer.withHub(
                InetAddress.getByName(bind),
                HubSettings.builder().maxClaimTtl(CLAIM_TTL).build(),
                keys,
                ClaimRegistry.open("memory:" + UUID.randomUUID(), ClaimSettings.of(CLAIM_TTL, RunningServer.CHANNEL)));
        open.add(server);
        // The election is listed as soon as its store has answered.
        while (!answer(server.electorAddress(), "GET /v1/elections HTTP/1.1\r\nHost: x\r\n\r\n")
                .contains(RunningServer.CHANNEL)) {
            LockSupport.parkNanos(1_000_000);
        }
        return server;
    }

    /** Makes a client a member of the room. The method returns after the hub has acknowledged the member. */
    private void present(HubServer server, String id, String data) throws Exception {
        var address = new InetSocketAddress(
                InetAddress.getLoopbackAddress(), server.hubAddress().getPort());
        var socket = new RawWebSocket(address, "?key=" + RunningServer.KEY + "&clientId=" + id);
        open.add(socket);
        socket.read();
        socket.send("{\"action\":14,\"msgSerial\":0,\"channel\":\"" + ROOM
                + "\",\"presence\":[{\"action\":2,\"data\":\"" + data + "\"}]}");
        while (!socket.read().text().startsWith("{\"action\":1,")) {
            // Wait for the acknowledgement.
        }
    }

    /** Returns the headers that the console's page sends if the viewer has the admin key. */
    private static String fromPage(HubServer server, String host) {
        return withoutKey(server, host) + "Authorization: " + RunningServer.ADMIN + "\r\n";
    }

    private static String withoutKey(HubServer server, String host) {
        String at = host + ":" + server.hubAddress().getPort();
        return "Host: " + at + "\r\nOrigin: http://" + at + "\r\n";
    }

    private static String basic(String key) {
        return "Authorization: Basic " + Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8))
                + "\r\n";
    }

    private static String post(HubServer server, String what, String headers, String fields) throws Exception {
        return answer(
                server,
                "POST /console/v1/elections/" + what + " HTTP/1.1\r\n" + headers
                        + "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: " + fields.length()
                        + "\r\n\r\n" + fields);
    }

    private static String answer(HubServer server, String request) throws Exception {
        return answer(server.hubAddress(), request);
    }

    private static String answer(InetSocketAddress address, String request) throws Exception {
        try (var socket = new RawSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), address.getPort()))) {
            return socket.send(request).readResponse();
        }
    }
}
