package dev.doyen.hub.server.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonParser;
import dev.doyen.hub.server.HubServer;
import dev.doyen.hub.server.RunningServer;
import dev.doyen.hub.server.claims.ClaimRegistry;
import dev.doyen.hub.server.claims.ClaimSettings;
import dev.doyen.hub.server.sdk.AblyClient.Wire;
import dev.doyen.hub.settings.HubSettings;
import io.ably.lib.realtime.ConnectionState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests the unmodified official Java SDK in JSON and in msgpack against the real hub. The claims are stored in real
 * files.
 */
@Timeout(180)
final class AblyJavaTest {

    private static final String ROOM = "room";
    private static final Duration CLAIM_TTL = Duration.ofSeconds(30);

    @TempDir
    private Path folder;

    private HubServer server;

    @BeforeEach
    void start() throws Exception {
        var rules = HubSettings.builder().maxClaimTtl(CLAIM_TTL).build();
        server = RunningServer.withHub(
                rules, ClaimRegistry.open("file:" + folder, ClaimSettings.of(CLAIM_TTL, RunningServer.CHANNEL)));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private AblyClient connected(Wire wire, String clientId) throws Exception {
        return new AblyClient(server.hubAddress(), wire, clientId).connected();
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void text_objects_and_bytes_arrive_unchanged(Wire wire) throws Exception {
        try (var anna = connected(wire, "anna");
                var ben = connected(wire, "ben")) {
            var received = ben.attached(ROOM);
            var sender = anna.attached(ROOM);
            var object = JsonParser.parseString("{\"n\":1,\"nested\":[\"ü\",null]}");
            var bytes = new byte[] {0, 1, (byte) 0xFE, (byte) 0xFF};

            sender.publish("text", "hello");
            sender.publish("object", object);
            sender.publish("bytes", bytes);

            var text = received.nextMessage();
            assertThat(text.name).isEqualTo("text");
            assertThat(text.data).isEqualTo("hello");
            assertThat(text.clientId).isEqualTo("anna");
            assertThat(received.nextMessage().data).isEqualTo(object);
            assertThat(received.nextMessage().data).isEqualTo(bytes);
            assertThat(sender.nextMessage().data)
                    .as("the sender receives its own message")
                    .isEqualTo("hello");
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void a_ping_is_answered(Wire wire) throws Exception {
        try (var anna = connected(wire, "anna")) {
            anna.ping();
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void members_receive_each_others_presence_events(Wire wire) throws Exception {
        try (var anna = connected(wire, "anna");
                var ben = connected(wire, "ben")) {
            var annas = anna.attached(ROOM);
            var bens = ben.attached(ROOM);

            annas.enter("hi");
            assertThat(bens.nextOfMembers()).isEqualTo("enter anna hi");
            bens.enter("hi too");
            assertThat(annas.nextOfMembers()).isEqualTo("enter anna hi");
            assertThat(annas.nextOfMembers()).isEqualTo("enter ben hi too");
            annas.update("still here");
            assertThat(bens.nextOfMembers()).isEqualTo("enter ben hi too");
            assertThat(bens.nextOfMembers()).isEqualTo("update anna still here");
            assertThat(bens.present()).containsExactly("anna still here", "ben hi too");
            annas.leave();

            assertThat(bens.nextOfMembers()).isEqualTo("leave anna still here");
            assertThat(bens.present()).containsExactly("ben hi too");
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void a_late_client_gets_the_members_and_the_last_message(Wire wire) throws Exception {
        try (var anna = connected(wire, "anna");
                var ben = connected(wire, "ben")) {
            var early = anna.attached(ROOM);
            early.enter("early");
            early.publish("tick", "41");
            early.publish("tick", "42");

            var late = ben.attached(ROOM, Map.of("rewind", "1"));

            assertThat(late.nextMessage().data).isEqualTo("42");
            assertThat(late.present()).containsExactly("anna early");
            early.publish("tick", "43");
            assertThat(late.nextMessage().data).isEqualTo("43");
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void a_second_leader_is_rejected_with_holder_and_term(Wire wire) throws Exception {
        try (var anna = connected(wire, "anna");
                var ben = connected(wire, "ben")) {
            var annas = anna.attached(ROOM);
            var bens = ben.attached(ROOM);
            annas.enter("candidate");
            bens.enter("candidate");
            annas.update("leader");

            var refusal = bens.updateIsRefused("leader");

            assertThat(refusal.code).isEqualTo(40910);
            assertThat(refusal.statusCode).isEqualTo(409);
            assertThat(refusal.message).contains("held by \"anna\" in term 1");
            assertThat(bens.present()).containsExactly("anna leader", "ben candidate");
            assertThat(annas.present()).containsExactly("anna leader", "ben candidate");
            assertThat(ben.state()).isEqualTo(ConnectionState.connected);

            annas.leave();
            bens.update("leader");
            assertThat(bens.present()).containsExactly("ben leader");
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void a_wrong_key_fails_permanently_with_a_reason(Wire wire) throws Exception {
        try (var eve = new AblyClient(server.hubAddress(), wire, "eve", "app.id:guess")) {
            var change = eve.awaitState(ConnectionState.failed);

            assertThat(change.reason.code).isEqualTo(40101);
            assertThat(change.reason.message).doesNotContain("guess", "the-secret");
        }
    }

    @ParameterizedTest
    @EnumSource(Wire.class)
    void the_stop_of_the_server_is_reported_at_once(Wire wire) throws Exception {
        try (var anna = connected(wire, "anna")) {
            anna.attached(ROOM);

            server.close();

            var change = anna.awaitState(ConnectionState.disconnected);
            assertThat(change.previous).isEqualTo(ConnectionState.connected);
            assertThat(change.reason.message).contains("shutting down");
        }
    }
}
