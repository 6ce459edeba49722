package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.connection.ConnectRequest;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.SessionId;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.ConnectionDetails;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.Format;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.ProtocolMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Connecting, the first frames, heartbeats, and the end of connections. */
class ConnectionsTest {

    private final Stage stage = new Stage();

    @Test
    void connected_comes_first_with_every_detail_an_sdk_needs() {
        var frame = stage.open(Map.of("key", Stage.KEY, "clientId", "ann")).takeOnly();

        assertThat(frame.action()).isEqualTo(Action.CONNECTED);
        assertThat(frame.channel()).isNull();
        assertThat(frame.error()).isNull();
        assertThat(frame.connectionId()).matches("[A-Za-z0-9_-]{12}");
        ConnectionDetails details = frame.connectionDetails();
        assertThat(details.clientId()).isEqualTo("ann");
        assertThat(details.connectionKey())
                .startsWith(frame.connectionId() + "!")
                .matches("[A-Za-z0-9_!-]+");
        assertThat(details.maxMessageSize()).isEqualTo(65_536);
        assertThat(details.maxFrameSize()).isEqualTo(524_288);
        assertThat(details.maxInboundRate()).isEqualTo(50);
        assertThat(details.connectionStateTtl()).isEqualTo(120_000);
        assertThat(details.maxIdleInterval()).isEqualTo(15_000);
        assertThat(details.serverId()).isEqualTo("doyen");
    }

    @Test
    void a_key_without_a_client_id_may_speak_as_anybody() {
        assertThat(stage.open(Map.of("key", Stage.KEY))
                        .takeOnly()
                        .connectionDetails()
                        .clientId())
                .isEqualTo("*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"app.key:wrong", "app.nobody:secret", "app.key", "app.key:", "", ":", "app.key:secret2"})
    void a_bad_key_is_told_so_in_a_frame_without_channel_and_closed(String key) {
        Player player = stage.open(Map.of("key", key));

        ProtocolMessage frame = player.takeOnly();
        assertThat(Lines.of(frame)).isEqualTo("ERROR 40101/401 the API key is unknown, or its secret is wrong");
        assertThat(frame.channel()).isNull();
        assertThat(player.open).isFalse();
    }

    @Test
    void no_credentials_are_refused() {
        assertThat(stage.open(Map.of()).heard())
                .containsExactly(
                        "ERROR 40101/401 no credentials; connect with an API key, appId.keyId:secret, or with a token");
    }

    @Test
    void client_ids_are_short_and_printable() {
        for (String bad : List.of("", "a\nb", "\u0000", "x".repeat(256))) {
            assertThat(stage.open(Map.of("key", Stage.KEY, "clientId", bad)).heard())
                    .singleElement()
                    .asString()
                    .startsWith("ERROR 40012/400 the client id");
        }
        assertThat(stage.open(Map.of("key", Stage.KEY, "clientId", "x".repeat(255)))
                        .heard())
                .containsExactly("CONNECTED");
    }

    @ParameterizedTest
    @CsvSource({
        "heartbeatInterval,4999",
        "heartbeatInterval,1800001",
        "heartbeatInterval,5s",
        "heartbeatInterval,-5000",
        "heartbeatInterval,99999999999999999999",
        "remainPresentFor,999",
        "remainPresentFor,120001"
    })
    void intervals_out_of_bounds_are_refused(String name, String value) {
        assertThat(stage.open(Map.of("key", Stage.KEY, name, value)).heard())
                .singleElement()
                .asString()
                .startsWith("ERROR 40003/400 " + name + " is \"" + value + "\"; give whole milliseconds from ");
    }

    @ParameterizedTest
    @CsvSource({
        "heartbeatInterval,5000",
        "heartbeatInterval,1800000",
        "remainPresentFor,1000",
        "remainPresentFor,120000"
    })
    void intervals_at_their_bounds_are_accepted(String name, String value) {
        assertThat(stage.open(Map.of("key", Stage.KEY, name, value)).heard()).containsExactly("CONNECTED");
    }

    @Test
    void a_client_may_ask_for_another_heartbeat_interval() {
        Player player = stage.open(Map.of("key", Stage.KEY, "heartbeatInterval", "5000"));
        assertThat(player.takeOnly().connectionDetails().maxIdleInterval()).isEqualTo(5_000);
        stage.pass(Duration.ofMillis(2_499));
        assertThat(player.heard()).isEmpty();
        stage.pass(Duration.ofMillis(1));
        assertThat(player.heard()).containsExactly("HEARTBEAT");
    }

    @Test
    void a_silent_connection_gets_a_heartbeat_at_half_the_idle_interval() {
        Player ann = stage.connect("ann");
        stage.pass(Duration.ofSeconds(5));
        ann.attach("x");
        assertThat(ann.heard()).containsExactly("ATTACHED x");
        stage.pass(Duration.ofMillis(7_499));
        assertThat(ann.heard()).isEmpty();
        stage.pass(Duration.ofMillis(1));
        assertThat(ann.heard()).containsExactly("HEARTBEAT");
        stage.pass(Duration.ofSeconds(15));
        assertThat(ann.heard()).containsExactly("HEARTBEAT", "HEARTBEAT");
    }

    @Test
    void heartbeats_false_means_none() {
        Player player = stage.open(Map.of("key", Stage.KEY, "heartbeats", "false"));
        player.take();
        stage.pass(Duration.ofMinutes(5));
        assertThat(player.heard()).isEmpty();
    }

    @Test
    void a_ping_is_answered_with_its_id_and_a_plain_heartbeat_is_not() {
        Player ann = stage.connect("ann");
        ann.send(ProtocolMessage.builder(Action.HEARTBEAT).id("ping-7").build());
        ann.send(ProtocolMessage.of(Action.HEARTBEAT));
        assertThat(ann.heard()).containsExactly("HEARTBEAT ping-7");
    }

    @Test
    void close_is_answered_and_its_members_leave_at_once() {
        Player ann = stage.connect("ann").attach("x").enter("x", "hello");
        Player bob = stage.connect("bob").attach("x");
        ann.take();
        bob.take();

        ann.close();

        assertThat(ann.heard()).containsExactly("CLOSED");
        assertThat(ann.open).isFalse();
        assertThat(bob.heard()).containsExactly("PRESENCE x leave:ann'hello'");
        ann.resume();
        assertThat(ann.heard()).singleElement().asString().startsWith("CONNECTED 80018/400");
    }

    @Test
    void disconnect_says_so_before_the_close_and_keeps_the_connection() {
        Player ann = stage.connect("ann").attach("x").enter("x", "hello");
        String id = ann.connectionId;
        ann.take();
        ann.send(ProtocolMessage.of(Action.DISCONNECT));
        assertThat(ann.heard()).containsExactly("DISCONNECTED");
        assertThat(ann.open).isFalse();
        ann.resume();
        assertThat(ann.heard()).containsExactly("CONNECTED");
        assertThat(ann.connectionId).isEqualTo(id);
    }

    @Test
    void a_client_that_asked_to_be_disconnected_is_waited_for_like_any_other() {
        Player ann = stage.connect("ann").enter("x", "hello");
        Player bob = stage.connect("bob").attach("x");
        bob.take();
        ann.send(ProtocolMessage.of(Action.DISCONNECT));
        stage.pass(Duration.ofMillis(14_999));
        assertThat(bob.heard()).containsExactly("HEARTBEAT");
        stage.pass(Duration.ofMillis(1));
        assertThat(bob.heard()).contains("PRESENCE x leave:ann'hello'");
        stage.pass(Duration.ofMinutes(2));
        assertThat(stage.hub.connections()).as("bob's alone").isEqualTo(1);
    }

    @Test
    void a_frame_that_is_no_message_ends_the_connection_with_its_reason() {
        Player ann = stage.connect("ann");
        stage.carry(stage.hub.garbled(stage.now(), ann.session, "action is missing"));
        assertThat(ann.heard()).containsExactly("ERROR 40000/400 action is missing");
        assertThat(ann.open).isFalse();
    }

    @Test
    void a_frame_only_servers_send_ends_the_connection() {
        Player ann = stage.connect("ann");
        ann.send(ProtocolMessage.of(Action.CONNECTED));
        assertThat(ann.heard()).containsExactly("ERROR 40000/400 a client does not send CONNECTED");
    }

    @Test
    void what_old_sdks_say_after_changing_transports_is_ignored() {
        Player ann = stage.connect("ann");
        ann.send(ProtocolMessage.of(Action.ACTIVATE)).send(ProtocolMessage.of(Action.CONNECT));
        assertThat(ann.heard()).isEmpty();
        assertThat(ann.open).isTrue();
    }

    @Test
    void inputs_for_a_session_that_is_gone_do_nothing() {
        Player bob = stage.connect("bob").attach("x");
        Player ann = stage.connect("ann");
        ann.close();
        bob.take();
        stage.effects.clear();
        ann.publish("x", "late");
        ann.drop();
        stage.carry(stage.hub.garbled(stage.now(), ann.session, "late"));
        assertThat(stage.effects).isEmpty();
    }

    @Test
    void the_hub_can_be_asked_whose_a_socket_is() {
        Player ann = stage.connect("ann");
        assertThat(stage.hub.clientOf(ann.session)).contains("ann");
        ann.close();
        assertThat(stage.hub.clientOf(ann.session)).isEmpty();
    }

    @Test
    void frames_sent_again_too_fast_end_the_socket_and_not_the_connection() {
        var slow = new Stage(HubSettings.builder().controlBurst(2).build());
        Player ann = slow.connect("ann").publish("x", "once");
        String id = ann.connectionId;
        ann.take();
        for (int i = 0; i < 3; i++) {
            ann.send(Player.messageFrame("x", 0, Message.of(null, Data.text("once"))));
        }
        assertThat(ann.heard())
                .containsExactly(
                        "ACK #0",
                        "ACK #0",
                        "DISCONNECTED 42911/429 the connection sends too fast; at most 50 messages a second, and 250 at"
                                + " once, are taken");
        assertThat(ann.open).isFalse();
        ann.resume();
        assertThat(ann.connectionId).isEqualTo(id);
    }

    @Test
    void a_full_hub_asks_sdks_to_come_back_later() {
        var small = new Stage(HubSettings.builder().maxConnections(2).build());
        Player ann = small.connect("ann");
        small.connect("bob");
        Player carl = small.open(Map.of("key", Stage.KEY));
        assertThat(carl.heard())
                .containsExactly("DISCONNECTED 50003/503 the hub has 2 connections, its limit; try again later");
        assertThat(carl.open).isFalse();
        ann.drop();
        assertThat(small.open(Map.of("key", Stage.KEY)).heard())
                .as("a connection without socket or members makes room")
                .containsExactly("CONNECTED");
    }

    @Test
    void a_lost_connection_with_members_does_not_make_room() {
        var small = new Stage(HubSettings.builder().maxConnections(1).build());
        Player ann = small.connect("ann").enter("x", "here");
        ann.drop();
        assertThat(small.open(Map.of("key", Stage.KEY)).heard())
                .singleElement()
                .asString()
                .startsWith("DISCONNECTED");
        small.pass(Duration.ofSeconds(15));
        assertThat(small.open(Map.of("key", Stage.KEY)).heard()).containsExactly("CONNECTED");
    }

    @Test
    void lost_connections_make_room_longest_lost_first_and_one_each() {
        var small = new Stage(HubSettings.builder().maxConnections(2).build());
        Player ann = small.connect("ann");
        Player bob = small.connect("bob");
        bob.drop();
        ann.drop();
        small.connect("carl");
        assertThat(ann.resume().heard()).as("bob was lost before").containsExactly("CONNECTED");
        ann.drop();
        small.connect("dora");
        assertThat(small.hub.connections()).isEqualTo(2);
        small.pass(Duration.ofMinutes(3));
        assertThat(small.hub.connections()).as("those that made room end once").isEqualTo(2);
    }

    @Test
    void a_lost_connection_whose_claim_waits_does_not_make_room() {
        var small = new Stage(HubSettings.builder().maxConnections(1).build());
        Player ann = small.connect("ann").enter("x", "leader");
        ann.drop();
        assertThat(small.open(Map.of("key", Stage.KEY)).heard())
                .singleElement()
                .asString()
                .startsWith("DISCONNECTED");
        small.refuse(small.claims.get(0), Optional.empty());
        assertThat(small.open(Map.of("key", Stage.KEY)).heard()).containsExactly("CONNECTED");
    }

    @Test
    void nothing_waits_for_a_connection_that_has_ended() {
        Player ann = stage.connect("ann");
        ann.drop();
        ann.resume();
        ann.close();
        assertThat(stage.hub.nextWakeNanos()).isEmpty();
    }

    @Test
    void echo_false_keeps_own_messages_away_but_not_own_presence() {
        Player ann = stage.open(Map.of("key", Stage.KEY, "clientId", "ann", "echo", "false"));
        Player bob = stage.connect("bob").attach("x");
        ann.attach("x");
        ann.take();
        bob.take();
        ann.publish("x", "hi").enter("x", "here");
        assertThat(ann.heard()).containsExactly("ACK #0", "PRESENCE x enter:ann'here'", "ACK #1");
        assertThat(bob.heard()).containsExactly("MESSAGE x 'hi'", "PRESENCE x enter:ann'here'");
    }

    @Test
    void msgpack_clients_hear_the_same() {
        Player ann = stage.open(Map.of("key", Stage.KEY, "clientId", "ann", "format", "msgpack"));
        ann.attach("x").publish("x", Message.of("n", Data.bytes(new byte[] {1, 2, 3})));
        assertThat(ann.heard()).containsExactly("CONNECTED", "ATTACHED x", "MESSAGE x '3 bytes'", "ACK #0");
    }

    @Test
    void a_query_says_the_format_and_no_value_of_it_is_printed() {
        var request = ConnectRequest.of(Map.of("format", List.of("json", "msgpack"), "none", List.of()), "");
        assertThat(request.format()).isEqualTo(Format.MSGPACK);
        assertThat(request).hasToString("ConnectRequest[MSGPACK, [format]]");
        for (List<String> values : List.of(List.of("json"), List.of("MSGPACK"), List.<String>of())) {
            assertThat(ConnectRequest.of(Map.of("format", values), "").format()).isEqualTo(Format.JSON);
        }
    }

    @Test
    void nothing_printable_shows_a_secret() {
        var request = ConnectRequest.of(Map.of("key", List.of("app.key:old", Stage.KEY)), "");
        assertThat(request.params()).containsEntry("key", Stage.KEY);
        assertThat(request.toString()).doesNotContain("secret");
        assertThat(HubKeys.of(List.of(Stage.KEY)).toString())
                .doesNotContain("secret")
                .contains("app.key");
        ProtocolMessage frame = stage.open(Map.of("key", Stage.KEY)).takeOnly();
        assertThat(frame.toString()).doesNotContain(frame.connectionDetails().connectionKey());
    }

    @Test
    void entropy_that_is_too_short_is_a_fault_of_the_shell() {
        var request = new ConnectRequest(Format.JSON, Map.of(), "");
        assertThatThrownBy(() -> stage.hub.opened(stage.now(), new SessionId(99), request, "short"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least 22");
    }
}
