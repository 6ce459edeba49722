package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.hub.auth.ClientIdentity;
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

/** Tests how connections open, send their first frames and heartbeats, and end. */
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
    void a_key_without_a_client_id_can_use_any_client_id() {
        assertThat(stage.open(Map.of("key", Stage.KEY))
                        .takeOnly()
                        .connectionDetails()
                        .clientId())
                .isEqualTo("*");
    }

    @ParameterizedTest
    @ValueSource(strings = {"app.key:wrong", "app.nobody:secret", "app.key", "app.key:", "", ":", "app.key:secret2"})
    void a_wrong_key_is_answered_by_an_error_frame_and_a_close(String key) {
        Player player = stage.open(Map.of("key", key));

        ProtocolMessage frame = player.takeOnly();
        assertThat(Lines.of(frame)).isEqualTo("ERROR 40101/401 the API key is unknown, or its secret is wrong");
        assertThat(frame.channel()).isNull();
        assertThat(player.open).isFalse();
    }

    @Test
    void missing_credentials_are_rejected() {
        assertThat(stage.open(Map.of()).received())
                .containsExactly(
                        "ERROR 40101/401 no credentials; connect with an API key, appId.keyId:secret, or with a token");
    }

    @Test
    void client_ids_are_short_and_printable() {
        for (String bad : List.of("", "a\nb", "\u0000", "x".repeat(256))) {
            assertThat(stage.open(Map.of("key", Stage.KEY, "clientId", bad)).received())
                    .singleElement()
                    .asString()
                    .startsWith("ERROR 40012/400 the client id");
        }
        assertThat(stage.open(Map.of("key", Stage.KEY, "clientId", "x".repeat(255)))
                        .received())
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
    void intervals_out_of_bounds_are_rejected(String name, String value) {
        assertThat(stage.open(Map.of("key", Stage.KEY, name, value)).received())
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
        assertThat(stage.open(Map.of("key", Stage.KEY, name, value)).received()).containsExactly("CONNECTED");
    }

    @Test
    void a_client_can_request_another_heartbeat_interval() {
        Player player = stage.open(Map.of("key", Stage.KEY, "heartbeatInterval", "5000"));
        assertThat(player.takeOnly().connectionDetails().maxIdleInterval()).isEqualTo(5_000);
        stage.pass(Duration.ofMillis(2_499));
        assertThat(player.received()).isEmpty();
        stage.pass(Duration.ofMillis(1));
        assertThat(player.received()).containsExactly("HEARTBEAT");
    }

    @Test
    void a_silent_connection_gets_a_heartbeat_at_half_the_idle_interval() {
        Player ann = stage.connect("ann");
        stage.pass(Duration.ofSeconds(5));
        ann.attach("x");
        assertThat(ann.received()).containsExactly("ATTACHED x");
        stage.pass(Duration.ofMillis(7_499));
        assertThat(ann.received()).isEmpty();
        stage.pass(Duration.ofMillis(1));
        assertThat(ann.received()).containsExactly("HEARTBEAT");
        stage.pass(Duration.ofSeconds(15));
        assertThat(ann.received()).containsExactly("HEARTBEAT", "HEARTBEAT");
    }

    @Test
    void heartbeats_false_disables_heartbeats() {
        Player player = stage.open(Map.of("key", Stage.KEY, "heartbeats", "false"));
        player.take();
        stage.pass(Duration.ofMinutes(5));
        assertThat(player.received()).isEmpty();
    }

    @Test
    void every_heartbeat_is_answered_with_its_id() {
        Player ann = stage.connect("ann");
        ann.send(ProtocolMessage.builder(Action.HEARTBEAT).id("ping-7").build());
        assertThat(ann.received()).containsExactly("HEARTBEAT ping-7");
        // A ping of ably-java has no id.
        ann.send(ProtocolMessage.of(Action.HEARTBEAT));
        assertThat(ann.received()).containsExactly("HEARTBEAT");
    }

    @Test
    void close_is_answered_and_its_members_leave_at_once() {
        Player ann = stage.connect("ann").attach("x").enter("x", "hello");
        Player bob = stage.connect("bob").attach("x");
        ann.take();
        bob.take();

        ann.close();

        assertThat(ann.received()).containsExactly("CLOSED");
        assertThat(ann.open).isFalse();
        assertThat(bob.received()).containsExactly("PRESENCE x leave:ann'hello'");
        ann.resume();
        assertThat(ann.received()).singleElement().asString().startsWith("CONNECTED 80018/400");
    }

    @Test
    void disconnect_sends_a_frame_before_the_close_and_keeps_the_connection() {
        Player ann = stage.connect("ann").attach("x").enter("x", "hello");
        String id = ann.connectionId;
        ann.take();
        ann.send(ProtocolMessage.of(Action.DISCONNECT));
        assertThat(ann.received()).containsExactly("DISCONNECTED");
        assertThat(ann.open).isFalse();
        ann.resume();
        assertThat(ann.received()).containsExactly("CONNECTED");
        assertThat(ann.connectionId).isEqualTo(id);
    }

    @Test
    void a_client_that_requested_its_disconnection_has_the_same_grace() {
        Player ann = stage.connect("ann").enter("x", "hello");
        Player bob = stage.connect("bob").attach("x");
        bob.take();
        ann.send(ProtocolMessage.of(Action.DISCONNECT));
        stage.pass(Duration.ofMillis(14_999));
        assertThat(bob.received()).containsExactly("HEARTBEAT");
        stage.pass(Duration.ofMillis(1));
        assertThat(bob.received()).contains("PRESENCE x leave:ann'hello'");
        stage.pass(Duration.ofMinutes(2));
        assertThat(stage.hub.counts().connections())
                .as("only bob's connection remains")
                .isEqualTo(1);
    }

    @Test
    void a_malformed_frame_ends_the_connection_with_a_reason() {
        Player ann = stage.connect("ann");
        stage.carry(stage.hub.garbled(stage.now(), ann.session, "action is missing"));
        assertThat(ann.received()).containsExactly("ERROR 40000/400 action is missing");
        assertThat(ann.open).isFalse();
    }

    @Test
    void a_frame_only_servers_send_ends_the_connection() {
        Player ann = stage.connect("ann");
        ann.send(ProtocolMessage.of(Action.CONNECTED));
        assertThat(ann.received()).containsExactly("ERROR 40000/400 a client does not send CONNECTED");
    }

    @Test
    void the_frames_of_old_sdks_after_a_transport_change_are_ignored() {
        Player ann = stage.connect("ann");
        ann.send(ProtocolMessage.of(Action.ACTIVATE)).send(ProtocolMessage.of(Action.CONNECT));
        assertThat(ann.received()).isEmpty();
        assertThat(ann.open).isTrue();
    }

    @Test
    void inputs_of_an_ended_session_are_ignored() {
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
    void the_hub_returns_the_client_of_a_socket() {
        Player ann = stage.connect("ann");
        assertThat(stage.hub.clientOf(ann.session).clientId()).contains("ann");
        ann.close();
        assertThat(stage.hub.clientOf(ann.session)).isEqualTo(ClientIdentity.UNKNOWN);
    }

    @Test
    void repeated_frames_above_the_rate_end_the_socket_but_not_the_connection() {
        var slow = new Stage(HubSettings.builder().controlBurst(2).build());
        Player ann = slow.connect("ann").publish("x", "once");
        String id = ann.connectionId;
        ann.take();
        for (int i = 0; i < 3; i++) {
            ann.send(Player.messageFrame("x", 0, Message.of(null, Data.text("once"))));
        }
        assertThat(ann.received())
                .containsExactly(
                        "ACK #0",
                        "ACK #0",
                        "DISCONNECTED 42911/429 the connection sends too many messages; at most 50 messages a second,"
                                + " and 250 at once, are allowed");
        assertThat(ann.open).isFalse();
        ann.resume();
        assertThat(ann.connectionId).isEqualTo(id);
    }

    @Test
    void a_full_hub_sends_disconnected_so_that_sdks_retry_later() {
        var small = new Stage(HubSettings.builder().maxConnections(2).build());
        Player ann = small.connect("ann");
        small.connect("bob");
        Player carl = small.open(Map.of("key", Stage.KEY));
        assertThat(carl.received())
                .containsExactly("DISCONNECTED 50003/503 the hub has 2 connections, its limit; try again later");
        assertThat(carl.open).isFalse();
        ann.drop();
        assertThat(small.open(Map.of("key", Stage.KEY)).received())
                .as("a connection without a socket or members is removed")
                .containsExactly("CONNECTED");
    }

    @Test
    void a_lost_connection_with_members_is_not_removed_for_others() {
        var small = new Stage(HubSettings.builder().maxConnections(1).build());
        Player ann = small.connect("ann").enter("x", "here");
        ann.drop();
        assertThat(small.open(Map.of("key", Stage.KEY)).received())
                .singleElement()
                .asString()
                .startsWith("DISCONNECTED");
        small.pass(Duration.ofSeconds(15));
        assertThat(small.open(Map.of("key", Stage.KEY)).received()).containsExactly("CONNECTED");
    }

    @Test
    void lost_connections_are_removed_for_others_oldest_first() {
        var small = new Stage(HubSettings.builder().maxConnections(2).build());
        Player ann = small.connect("ann");
        Player bob = small.connect("bob");
        bob.drop();
        ann.drop();
        small.connect("carl");
        assertThat(ann.resume().received())
                .as("bob's connection is removed, because it was lost earlier")
                .containsExactly("CONNECTED");
        ann.drop();
        small.connect("dora");
        assertThat(small.hub.counts().connections()).isEqualTo(2);
        small.pass(Duration.ofMinutes(3));
        assertThat(small.hub.counts().connections())
                .as("a removed connection ends only once")
                .isEqualTo(2);
    }

    @Test
    void a_lost_connection_with_a_waiting_claim_is_not_removed_for_others() {
        var small = new Stage(HubSettings.builder().maxConnections(1).build());
        Player ann = small.connect("ann").enter("x", "leader");
        ann.drop();
        assertThat(small.open(Map.of("key", Stage.KEY)).received())
                .singleElement()
                .asString()
                .startsWith("DISCONNECTED");
        small.refuse(small.claims.get(0), Optional.empty());
        assertThat(small.open(Map.of("key", Stage.KEY)).received()).containsExactly("CONNECTED");
    }

    @Test
    void no_timer_remains_for_an_ended_connection() {
        Player ann = stage.connect("ann");
        ann.drop();
        ann.resume();
        ann.close();
        assertThat(stage.hub.nextWakeNanos()).isEmpty();
    }

    @Test
    void without_echo_own_messages_are_omitted_but_own_presence_is_not() {
        Player ann = stage.open(Map.of("key", Stage.KEY, "clientId", "ann", "echo", "false"));
        Player bob = stage.connect("bob").attach("x");
        ann.attach("x");
        ann.take();
        bob.take();
        ann.publish("x", "hi").enter("x", "here");
        assertThat(ann.received()).containsExactly("ACK #0", "PRESENCE x enter:ann'here'", "ACK #1");
        assertThat(bob.received()).containsExactly("MESSAGE x 'hi'", "PRESENCE x enter:ann'here'");
    }

    @Test
    void msgpack_clients_receive_the_same() {
        Player ann = stage.open(Map.of("key", Stage.KEY, "clientId", "ann", "format", "msgpack"));
        ann.attach("x").publish("x", Message.of("n", Data.bytes(new byte[] {1, 2, 3})));
        assertThat(ann.received()).containsExactly("CONNECTED", "ATTACHED x", "MESSAGE x '3 bytes'", "ACK #0");
    }

    @Test
    void a_query_selects_the_format_and_its_values_are_not_printed() {
        var request = ConnectRequest.of(Map.of("format", List.of("json", "msgpack"), "none", List.of()), "");
        assertThat(request.format()).isEqualTo(Format.MSGPACK);
        assertThat(request).hasToString("ConnectRequest[MSGPACK, [format]]");
        for (List<String> values : List.of(List.of("json"), List.of("MSGPACK"), List.<String>of())) {
            assertThat(ConnectRequest.of(Map.of("format", values), "").format()).isEqualTo(Format.JSON);
        }
    }

    @Test
    void no_toString_contains_a_secret() {
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
    void an_address_for_tokens_rejects_a_key() {
        var query = Map.of("key", Stage.KEY);
        var player = stage.open(query);
        player.take();
        stage.opened(player, new ConnectRequest(Format.JSON, query, "").withoutKeys());
        assertThat(player.received())
                .containsExactly("ERROR 40101/401 this address of the hub accepts no keys; connect with a token");
    }

    @Test
    void short_entropy_is_a_fault_of_the_caller() {
        var request = new ConnectRequest(Format.JSON, Map.of(), "");
        assertThatThrownBy(() -> stage.hub.opened(stage.now(), new SessionId(99), request, "short"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least 22");
    }
}
