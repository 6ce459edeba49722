package dev.doyen.hub.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.elector.http.RawSocket;
import dev.doyen.elector.http.RawWebSocket;
import dev.doyen.hub.server.websocket.SessionLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Tests the drain of a server that shuts down, and the release of its leases. */
final class DrainTest {

    /** A long drain time. With this time, the drain disconnects only one client in each tick of 50 ms. */
    private static final Duration LONG = Duration.ofMinutes(10);

    /** With this number of clients the drain lasts at least 30 s, unless the test ends it early. */
    private static final int CLIENTS = 600;

    private static void closeAsPeer(RawWebSocket socket) throws IOException {
        var frame = socket.readAndAnswerPings();
        while (frame.opcode() != RawWebSocket.CLOSE) {
            frame = socket.readAndAnswerPings();
        }
        socket.sendFrame(0x80 | RawWebSocket.CLOSE, new byte[] {3, (byte) 0xE8});
        socket.readEnd();
    }

    @Test
    void a_draining_hub_is_not_ready_and_accepts_no_connection() throws Exception {
        var sockets = new ArrayList<RawWebSocket>();
        try (var server = new RunningServer(SessionLimits.DEFAULT, LONG)) {
            for (int i = 0; i < CLIENTS; i++) {
                sockets.add(server.connected(""));
            }
            assertThat(probe(server, "/readyz")).startsWith("HTTP/1.1 200 ");
            var closing = new Thread(server.server()::close);
            closing.start();

            assertThat(sockets.get(0).read().text()).contains("\"action\":6", "80003", "shutting down");

            sockets.get(CLIENTS - 1).send("{\"action\":0,\"id\":\"still served\"}");
            assertThat(sockets.get(CLIENTS - 1).read().text()).contains("still served");
            assertThat(probe(server, "/readyz")).startsWith("HTTP/1.1 503 ").contains("shutting down");
            assertThat(probe(server, "/healthz")).startsWith("HTTP/1.1 200 ");
            assertThatThrownBy(() -> server.connected("")).isInstanceOf(IOException.class);

            server.server().hurry();
            for (var socket : sockets.subList(1, CLIENTS)) {
                assertThat(socket.read().text()).contains("\"action\":6", "shutting down");
                assertThat(socket.read().closeCode()).isEqualTo(1000);
                socket.close();
            }
            closing.join(TimeUnit.SECONDS.toMillis(60));
            assertThat(closing.isAlive()).isFalse();
        }
    }

    @Test
    void the_last_client_has_time_to_read_the_request() throws Exception {
        try (var server = new RunningServer(SessionLimits.DEFAULT, Duration.ofMillis(1));
                var client = server.connected("")) {
            var closing = new Thread(server.server()::close);
            closing.start();
            assertThat(client.read().text()).contains("shutting down");
            closing.join(300);
            assertThat(closing.isAlive()).isTrue();
            closeAsPeer(client);
            closing.join(TimeUnit.SECONDS.toMillis(60));
            assertThat(closing.isAlive()).isFalse();
        }
    }

    @Test
    void C20_the_leader_is_disconnected_last_after_its_claim_has_ended() throws Exception {
        try (var server = new RunningServer(SessionLimits.DEFAULT, Duration.ofMillis(100));
                var leader = server.connected("")) {
            leader.send("{\"action\":14,\"channel\":\"room\"}");
            assertThat(server.hub().nextInputOf("granted")).startsWith("granted room");
            var followers = List.of(server.connected(""), server.connected(""), server.connected(""));
            var closing = new Thread(server.server()::close);
            closing.start();

            for (var follower : followers) {
                assertThat(follower.read().text()).contains("\"action\":6");
            }
            assertThat(List.of(
                            server.hub().nextInputOf("lost"),
                            server.hub().nextInput(),
                            server.hub().nextInput()))
                    .as("the sockets of the other clients end before the claims")
                    .containsExactly("lost 2", "lost 3", "lost 4");
            assertThat(server.hub().nextInput()).isEqualTo("retired");
            assertThat(leader.readAndAnswerPings().text()).isEqualTo("{\"action\":14,\"id\":\"retired\"}");
            assertThat(leader.readAndAnswerPings().text()).contains("\"action\":6");
            closeAsPeer(leader);

            closing.join();
            assertThat(server.claims().abandoned()).isEmpty();
            assertThat(server.claims().closed()).isTrue();
        }
    }

    @Test
    void C20_the_lease_of_a_leader_that_did_not_close_is_not_released() throws Exception {
        try (var server = new RunningServer(SessionLimits.DEFAULT, Duration.ZERO);
                var frozen = server.connected("");
                var awake = server.connected("")) {
            frozen.send("{\"action\":14,\"channel\":\"frozen\"}");
            awake.send("{\"action\":14,\"channel\":\"awake\"}");
            server.hub().nextInputOf("granted");
            server.hub().nextInputOf("granted");
            var closing = new Thread(server.server()::close);
            closing.start();
            closeAsPeer(awake);

            closing.join();
            assertThat(server.claims().abandoned())
                    .singleElement()
                    .satisfies(claimant -> assertThat(claimant.channel()).isEqualTo("frozen"));
        }
    }

    @Test
    void C20_the_lease_of_a_leader_that_closed_on_its_own_is_not_released() throws Exception {
        try (var server = new RunningServer(SessionLimits.DEFAULT, Duration.ZERO);
                var leader = server.connected("")) {
            leader.send("{\"action\":14,\"channel\":\"room\"}");
            server.hub().nextInputOf("granted");
            var closing = new Thread(server.server()::close);
            closing.start();
            // The server has sent its close. The leader's close must look as if the leader had sent it earlier.
            while (leader.readAnyFrame().opcode() != RawWebSocket.CLOSE) {
                // The leader ignores the frame.
            }
            leader.sendFrame(0x80 | RawWebSocket.CLOSE, new byte[] {3, (byte) 0xE8});
            leader.readEnd();

            closing.join();
            assertThat(server.claims().abandoned())
                    .as("the leader has possibly not read the end of its claim, so it can still lead")
                    .hasSize(1);
        }
    }

    @Test
    void C20_a_lease_is_not_released_if_the_end_of_its_claim_was_not_sent() throws Exception {
        try (var server = new RunningServer(SessionLimits.DEFAULT, Duration.ZERO);
                var leader = server.connected("")) {
            leader.send("{\"action\":14,\"channel\":\"room\"}");
            server.hub().nextInputOf("granted");
            server.hub().neverSettle();
            var closing = new Thread(server.server()::close);
            closing.start();
            closeAsPeer(leader);

            closing.join();
            assertThat(server.claims().abandoned())
                    .as("the leader has closed its socket, but can still lead")
                    .hasSize(1);
        }
    }

    @Test
    void C20_no_lease_is_released_if_the_hub_does_not_handle_the_shutdown() throws Exception {
        try (var server = new RunningServer(SessionLimits.DEFAULT, Duration.ZERO);
                var leader = server.connected("");
                var other = server.connected("")) {
            leader.send("{\"action\":14,\"channel\":\"room\"}");
            server.hub().nextInputOf("granted");
            other.send("{\"action\":16}");
            server.hub().nextInputOf("received 2 SYNC");

            server.server().close();

            assertThat(server.claims().abandoned()).hasSize(1);
            server.hub().goOn();
        }
    }

    @Test
    void a_grant_on_which_the_hub_fails_is_released() throws Exception { // L8
        try (var server = new RunningServer(SessionLimits.DEFAULT, Duration.ZERO);
                var client = server.connected("")) {
            server.hub().failGrants();
            client.send("{\"action\":14,\"channel\":\"room\"}");
            assertThat(server.hub().nextInputOf("lost claim")).isEqualTo("lost claim room EXPIRED");

            client.send("{\"action\":0,\"id\":\"after\"}");
            server.hub().nextInputOf("received 1 HEARTBEAT after");
            assertThat(server.claims().holder("room")).isEmpty();
        }
    }

    private static String probe(RunningServer server, String path) throws Exception {
        try (var socket = new RawSocket(server.probeAddress())) {
            return socket.send("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                    .readResponse();
        }
    }
}
