package dev.doyen.hub.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.doyen.elector.http.RawWebSocket;
import dev.doyen.hub.auth.Capability;
import dev.doyen.hub.auth.HubKey;
import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.server.claims.ClaimRegistry;
import dev.doyen.hub.server.claims.ClaimSettings;
import dev.doyen.hub.server.websocket.SessionLimits;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.Format;
import dev.doyen.hub.wire.FrameCodec;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.ProtocolMessage;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests admin commands over HTTP for the elections of a real hub (rule C16). */
final class HubAdminCommandsTest {

    private static final String ROOM = "room";
    private static final String READER = "app.reader:only-reads";
    private static final String FOLLOWER = "app.follower:never-leads";

    private final FrameCodec codec = new FrameCodec(SessionLimits.DEFAULT.maxFrameBytes());
    private final HttpClient http = HttpClient.newHttpClient();
    private final HubServer server;

    HubAdminCommandsTest() throws Exception {
        var keys = HubKeys.ofKeys(List.of(
                HubKey.of(RunningServer.KEY),
                HubKey.of(READER).with(Capability.parse("{\"*\":[\"subscribe\"]}")),
                HubKey.of(FOLLOWER).with(Capability.parse("{\"*\":[\"subscribe\",\"presence\"]}"))));
        server = RunningServer.withHub(
                InetAddress.getLoopbackAddress(),
                HubSettings.builder().maxClaimTtl(Duration.ofSeconds(5)).build(),
                keys,
                ClaimRegistry.open("memory:" + UUID.randomUUID(), ClaimSettings.of(Duration.ofSeconds(5), ROOM)));
    }

    @AfterEach
    void close() {
        server.close();
    }

    /** A protocol client that handles one frame at a time. */
    private final class Client implements AutoCloseable {
        private final RawWebSocket socket;
        private long nextSerial;

        Client(String clientId) throws Exception {
            this(clientId, RunningServer.KEY);
        }

        Client(String clientId, String key) throws Exception {
            socket =
                    new RawWebSocket(server.hubAddress(), "?key=" + key + "&clientId=" + clientId + "&v=4&format=json");
            readUntil(Action.CONNECTED);
            send(ProtocolMessage.builder(Action.ATTACH).channel(ROOM).build());
            readUntil(Action.ATTACHED);
        }

        Client present(String data) throws Exception {
            send(ProtocolMessage.builder(Action.PRESENCE)
                    .channel(ROOM)
                    .msgSerial(nextSerial++)
                    .presence(List.of(PresenceMessage.of(PresenceAction.ENTER, null, Data.text(data))))
                    .build());
            return this;
        }

        void send(ProtocolMessage message) throws Exception {
            socket.sendFrame(0x80 | RawWebSocket.TEXT, codec.encode(message, Format.JSON));
        }

        ProtocolMessage readUntil(Action action) throws Exception {
            ProtocolMessage message;
            do {
                message = codec.decode(socket.read().payload(), Format.JSON);
            } while (message.action() != action);
            return message;
        }

        /** Waits for an event with a reason, and returns the reason. */
        String demoted() throws Exception {
            while (true) {
                var extras = readUntil(Action.PRESENCE).presence().get(0).extras();
                if (extras != null && extras.at("/headers/doyen-reason").isTextual()) {
                    return extras.at("/headers/doyen-reason").textValue();
                }
            }
        }

        @Override
        public void close() throws Exception {
            socket.close();
        }
    }

    /** Sends a command with the admin key. */
    private HttpResponse<String> post(String command) throws Exception {
        return post(command, "Authorization", RunningServer.ADMIN);
    }

    /** Sends a command with these headers. The method itself adds no key. */
    private HttpResponse<String> post(String command, String... headers) throws Exception {
        return http.send(request(command, headers), HttpResponse.BodyHandlers.ofString());
    }

    /** Sends a command with the admin key, and returns at once. The future completes when the reply arrives. */
    private CompletableFuture<HttpResponse<String>> postAsync(String command) {
        return http.sendAsync(
                request(command, "Authorization", RunningServer.ADMIN), HttpResponse.BodyHandlers.ofString());
    }

    private HttpRequest request(String command, String... headers) {
        var request = HttpRequest.newBuilder(URI.create("http://localhost:"
                        + server.electorAddress().getPort() + "/v1/elections/" + ROOM + "/" + command))
                .POST(HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        return request.build();
    }

    private static String basic(String key) {
        return "Basic " + Base64.getEncoder().encodeToString(key.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void a_leader_that_resigns_by_command_is_a_follower_with_a_cooldown() throws Exception {
        try (var ann = new Client("ann").present("leader");
                var bob = new Client("bob")) {
            ann.readUntil(Action.ACK);
            var done = post("resign?reason=an+upgrade");
            assertThat(done.statusCode()).isEqualTo(200);
            assertThat(done.body()).contains("\\\"ann\\\" (term 1) has stepped down");
            assertThat(ann.demoted()).isEqualTo("an upgrade");
            ann.present("leader");
            assertThat(ann.readUntil(Action.NACK).error().message()).contains("which an admin command asked to resign");
            bob.present("leader");
            bob.readUntil(Action.ACK);
        }
    }

    @Test
    void a_transfer_is_answered_when_the_successor_leads() throws Exception {
        try (var ann = new Client("ann").present("leader");
                var bob = new Client("bob").present("1")) {
            ann.readUntil(Action.ACK);
            bob.readUntil(Action.ACK);
            var transfer = postAsync("transfer?to=bob&wait=60s");
            assertThat(ann.demoted()).isEqualTo("stepping down by an admin command");
            ann.present("leader");
            assertThat(ann.readUntil(Action.NACK).error().message()).contains("is reserved for \"bob\"");
            assertThat(transfer).as("the command waits until bob leads").isNotDone();
            bob.present("leader");
            bob.readUntil(Action.ACK);

            var reply = transfer.join();
            assertThat(reply.statusCode()).isEqualTo(200);
            assertThat(reply.body())
                    .isEqualTo(
                            "{\"done\":\"\\\"bob\\\" leads now, in term 2\",\"leader\":{\"id\":\"bob\",\"term\":2}}");
            assertThat(post("transfer?to=bob").body()).contains("\\\"bob\\\" (term 2) leads already");
        }
    }

    @Test
    void a_leader_continues_if_its_successor_cannot_lead() throws Exception {
        try (var ann = new Client("ann").present("leader");
                var fay = new Client("fay", FOLLOWER).present("1")) {
            ann.readUntil(Action.ACK);
            fay.readUntil(Action.ACK);
            var unknown = post("transfer?to=eve");
            assertThat(unknown.statusCode()).isEqualTo(404);
            assertThat(unknown.body())
                    .contains("\\\"eve\\\" is not present on the channel, so \\\"ann\\\" (term 1) continues to lead")
                    .contains("\"leader\":{\"id\":\"ann\",\"term\":1}");
            var barred = post("transfer?to=fay");
            assertThat(barred.statusCode()).isEqualTo(409);
            assertThat(barred.body()).contains("\\\"fay\\\" has no key or token that allows it to lead");
            assertThat(post("transfer").statusCode()).isEqualTo(400);
            assertThat(post("transfer?to=eve&wait=61s").body()).contains("wait (61s) must be a time from 0s to 1m");
        }
    }

    @Test
    void a_transfer_without_a_wait_is_accepted() throws Exception {
        try (var ann = new Client("ann").present("leader");
                var bob = new Client("bob").present("1")) {
            ann.readUntil(Action.ACK);
            bob.readUntil(Action.ACK);
            assertThat(post("transfer?to=bob&wait=0s").statusCode()).isEqualTo(202);
            assertThat(ann.demoted()).isEqualTo("stepping down by an admin command");
        }
    }

    @Test
    void a_paused_election_has_no_leader_until_it_is_resumed() throws Exception {
        try (var ann = new Client("ann").present("leader")) {
            ann.readUntil(Action.ACK);
            assertThat(post("pause?reason=a+backup").statusCode()).isEqualTo(202);
            assertThat(ann.demoted()).isEqualTo("the election is paused");
            ann.present("leader");
            assertThat(ann.readUntil(Action.NACK).error().message())
                    .contains("paused by the admin key through the hub (a backup)");
            assertThat(post("resume").body()).contains("candidates may lead again");
            assertThat(post("resume").body()).contains("was not paused");
        }
    }

    @Test
    void the_saved_state_is_sent_to_the_next_leader_and_can_be_read() throws Exception { // C17
        try (var ann = new Client("ann").present("leader");
                var bob = new Client("bob")) {
            ann.readUntil(Action.ACK);
            var extras = JsonNodeFactory.instance.objectNode();
            extras.putObject("headers").put("doyen-term", 1);
            ann.send(ProtocolMessage.builder(Action.MESSAGE)
                    .channel(ROOM)
                    .msgSerial(ann.nextSerial++)
                    .messages(List.of(Message.of("doyen:state", Data.text("{\"row\":17}"))
                            .withData(Data.text("{\"row\":17}"), "json")
                            .withExtras(extras)))
                    .build());
            ann.readUntil(Action.ACK);
            var kept = state();
            assertThat(kept.body()).isEqualTo("{\"row\":17}");
            assertThat(kept.headers().firstValue("Doyen-Term")).contains("1");
            post("resign");
            bob.present("leader");
            var received = bob.readUntil(Action.MESSAGE).messages().get(0);
            assertThat(received.name()).isEqualTo("doyen:state");
            assertThat(received.data()).isEqualTo(Data.text("{\"row\":17}"));
            assertThat(received.encoding()).isEqualTo("json");
        }
    }

    private HttpResponse<String> state() throws Exception {
        var uri = URI.create(
                "http://localhost:" + server.electorAddress().getPort() + "/v1/elections/" + ROOM + "/state");
        return http.send(
                HttpRequest.newBuilder(uri)
                        .header("Authorization", RunningServer.ADMIN)
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** Waits until the hub has read the election for the first time. */
    private void awaitElection() throws Exception {
        var uri = URI.create("http://localhost:" + server.electorAddress().getPort() + "/v1/elections/" + ROOM);
        var request = HttpRequest.newBuilder(uri).build();
        long began = System.nanoTime();
        while (http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() == 404) {
            assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofMinutes(1));
        }
    }

    @Test
    void without_a_leader_no_command_is_sent() throws Exception {
        awaitElection();
        assertThat(post("resign").statusCode()).isEqualTo(409);
        assertThat(post("state").statusCode()).isEqualTo(405);
    }

    @Test
    void a_given_key_must_be_valid_and_allow_admin() throws Exception {
        awaitElection();
        assertThat(post("resign", "Authorization", basic(RunningServer.KEY)).statusCode())
                .isEqualTo(409);
        assertThat(post("resign", "Authorization", basic(RunningServer.KEY), "Origin", "http://x")
                        .statusCode())
                .as("a page with a key can send commands")
                .isEqualTo(409);
        assertThat(post("resign", "Origin", "http://x").statusCode()).isEqualTo(403);
        assertThat(post("resign", "X-Forwarded-For", "127.0.0.1").body()).contains("need a key");
        assertThat(post("resign", new String[0]).body()).contains("need a key");
        var reader = post("resign", "Authorization", basic(READER));
        assertThat(reader.statusCode()).isEqualTo(403);
        assertThat(reader.body()).contains("does not allow admin").doesNotContain("only-reads");
        assertThat(post("resign", "Authorization", basic("app.id:wrong")).body())
                .contains("its secret is wrong");
        assertThat(post("resign", "Authorization", "Bearer x.y.z").body()).contains("need a key");
    }
}
