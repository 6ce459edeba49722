package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.Leader;
import dev.doyen.hub.auth.Signing;
import dev.doyen.hub.channel.OccupancySender;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.step.HubEffect;
import dev.doyen.hub.step.SlotStepDown;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.AuthDetails;
import dev.doyen.hub.wire.Flags;
import dev.doyen.hub.wire.ProtocolMessage;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which operations the token of a live connection allows, when it expires, and how a client replaces it. */
class TokensTest {

    private final Stage stage = new Stage();

    @Test
    void a_token_binds_the_connection_to_its_client() {
        Player ann = stage.open(Map.of("access_token", token("ann", 60, "{\"*\":[\"*\"]}")));
        assertThat(ann.takeOnly().connectionDetails().clientId()).isEqualTo("ann");

        Player bob = stage.open(Map.of("accessToken", token("ann", 60, "{\"*\":[\"*\"]}"), "clientId", "bob"));
        assertThat(bob.received())
                .containsExactly("ERROR 40102/401 the token is bound to client \"ann\", and does not permit \"bob\"");
        assertThat(bob.open).isFalse();
    }

    @Test
    void a_token_without_a_client_has_no_client_id() {
        Player player = stage.open(Map.of("access_token", token(null, 60, "{\"*\":[\"*\"]}")));
        assertThat(player.takeOnly().connectionDetails().clientId()).isNull();

        player.presence("orders", Player.message(dev.doyen.hub.wire.PresenceAction.ENTER, "ann", ""));
        player.enter("orders", "");

        assertThat(player.received())
                .containsExactly(
                        "NACK #0 40012/400 the connection's token is bound to no client id, so it cannot publish as"
                                + " \"ann\"; ask for a token with that client id",
                        "NACK #1 91000/400 presence needs a client id; ask for a token with one");
    }

    @Test
    void an_attachment_gets_only_the_modes_that_the_token_allows() {
        Player ann = connected(token("ann", 60, "{\"orders\":[\"subscribe\"]}"));
        ann.attach("orders").attach("other");

        var received = ann.take();
        assertThat(received.get(0).flagBits() & Flags.ALL_MODES).isEqualTo(Flags.SUBSCRIBE | Flags.PRESENCE_SUBSCRIBE);
        assertThat(Lines.of(received.get(1)))
                .isEqualTo("ERROR other 40160/401 the key or token allows none of the requested channel modes");
    }

    @Test
    void the_unused_default_mode_is_granted_with_the_right_to_publish() {
        assertThat(granted("[\"publish\"]")).isEqualTo(Flags.PUBLISH);
        assertThat(granted("[\"publish\",\"annotation-publish\"]")).isEqualTo(Flags.PUBLISH | Flags.ANNOTATION_PUBLISH);
        assertThat(granted("[\"annotation-publish\"]")).isZero();
    }

    private int granted(String operations) {
        Player ann = connected(token("ann", 60, "{\"orders\":" + operations + "}"));
        return ann.attach("orders").takeOnly().flagBits() & Flags.ALL_MODES;
    }

    @Test
    void a_missing_right_is_rejected_with_its_name() {
        Player ann = connected(token("ann", 60, "{\"orders\":[\"subscribe\"],\"log\":[\"presence\"]}"));

        ann.publish("orders", "x").enter("orders", "").enter("log", "leader").enter("log", "here");

        assertThat(ann.received())
                .containsExactly(
                        "NACK #0 40160/401 this token of the key \"app.key\" does not allow publish on channel"
                                + " \"orders\"",
                        "NACK #1 40160/401 this token of the key \"app.key\" does not allow presence on channel"
                                + " \"orders\"",
                        "NACK #2 40160/401 this token of the key \"app.key\" does not allow lead on channel \"log\"",
                        "PRESENCE log enter:ann'here'",
                        "ACK #3");
        assertThat(stage.claims).isEmpty();
    }

    @Test
    void the_next_token_is_requested_half_a_minute_before_the_end() {
        Player ann = connected(token("ann", 60, "{\"*\":[\"*\"]}"));
        ann.attach("orders").take();

        stage.pass(Duration.ofSeconds(30));
        assertThat(ann.received()).contains("AUTH");
        ann.send(auth(token("ann", 60, "{\"*\":[\"*\"]}")));
        ProtocolMessage connected = ann.takeOnly();
        assertThat(connected.action()).isEqualTo(Action.CONNECTED);
        assertThat(connected.connectionId()).isEqualTo(ann.connectionId);
        assertThat(connected.error()).isNull();

        stage.pass(Duration.ofSeconds(59));
        assertThat(ann.received()).contains("AUTH");
        assertThat(ann.open).isTrue();
        stage.pass(Duration.ofSeconds(1));
        assertThat(ann.received()).endsWith("DISCONNECTED 40142/401 the token expired; request another token");
        assertThat(ann.open).isFalse();
    }

    @Test
    void a_client_with_a_short_token_can_resume_with_the_next() {
        Player ann = connected(token("ann", 5, "{\"*\":[\"*\"]}"));
        String connection = ann.connectionId;

        stage.pass(Duration.ofSeconds(5));
        assertThat(ann.received())
                .doesNotContain("AUTH")
                .endsWith("DISCONNECTED 40142/401 the token expired; request another token");

        Player again = stage.open(Map.of("access_token", token("ann", 20, "{\"*\":[\"*\"]}"), "resume", ann.key));
        assertThat(again.takeOnly().connectionId()).isEqualTo(connection);
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 8, 30})
    void the_next_token_is_requested_after_half_of_a_short_time(int seconds) {
        Player ann = connected(token("ann", seconds, "{\"*\":[\"*\"]}"));
        stage.pass(Duration.ofMillis(seconds * 500L - 1));
        assertThat(ann.received()).doesNotContain("AUTH");
        stage.pass(Duration.ofMillis(1));
        assertThat(ann.received()).containsExactly("AUTH");
        stage.pass(Duration.ofMillis(seconds * 500L));
        assertThat(ann.received()).endsWith("DISCONNECTED 40142/401 the token expired; request another token");
    }

    @Test
    void a_token_that_is_not_a_jwt_ends_the_connection() {
        Player ann = stage.open(Map.of("access_token", "not-a-token"));
        assertThat(ann.received())
                .containsExactly(
                        "ERROR 40101/401 the token is not a JWT, so this hub did not issue it; check the source"
                                + " of the client's tokens");
        assertThat(ann.open).isFalse();
    }

    @Test
    void no_timer_remains_for_the_token_of_an_ended_connection() {
        Player ann = stage.open(Map.of("access_token", token("ann", 3_600, "{\"*\":[\"*\"]}"), "heartbeats", "false"));
        assertThat(stage.hub.nextWakeNanos()).isPresent();

        ann.close();

        assertThat(stage.hub.nextWakeNanos()).isEmpty();
    }

    @Test
    void any_invalid_token_ends_the_connection() {
        Player ann = connected(token("ann", 60, "{\"*\":[\"*\"]}"));
        ann.send(auth(token("ann", -1, "{\"*\":[\"*\"]}")));
        assertThat(ann.received())
                .containsExactly("ERROR 40101/401 the token expired 1000 ms ago; request another token");
        assertThat(ann.open).isFalse();

        Player bob = connected(token("bob", 60, "{\"*\":[\"*\"]}"));
        bob.send(auth(token("ann", 60, "{\"*\":[\"*\"]}")));
        assertThat(bob.received())
                .containsExactly("ERROR 40102/401 the token is bound to client \"ann\", and does not permit \"bob\"");

        Player cy = connected(token(null, 60, "{\"*\":[\"*\"]}"));
        cy.send(auth(token("ann", 60, "{\"*\":[\"*\"]}")));
        assertThat(cy.received())
                .containsExactly(
                        "ERROR 40102/401 the token is bound to client \"ann\", and the connection is not bound to a client;"
                                + " open a new connection");

        Player dan = stage.connect("dan");
        dan.send(ProtocolMessage.of(Action.AUTH));
        assertThat(dan.received()).containsExactly("ERROR 40101/401 the AUTH frame has no auth.accessToken");
    }

    @Test
    void a_token_with_fewer_rights_removes_the_others() {
        Player eve = stage.connect("eve").attach("orders");
        eve.take();
        Player ann = connected(token("ann", 60, "{\"*\":[\"*\"]}"));
        ann.attach("orders").attach("log").enter("orders", "leader");
        stage.grant(7);
        ann.take();
        eve.take();

        ann.send(auth(token("ann", 60, "{\"orders\":[\"subscribe\",\"presence\"]}")));

        assertThat(ann.received())
                .containsExactly(
                        "CONNECTED",
                        "ERROR log 40160/401 the new token allows nothing on channel \"log\"",
                        "PRESENCE orders update:ann''");
        assertThat(eve.received()).containsExactly("PRESENCE orders update:ann''");
        assertThat(stage.view("log").attachments()).isZero();
        assertThat(stage.releases).containsExactly(new Claimant("orders", "ann", ann.connectionId));
        ann.publish("orders", "x");
        assertThat(ann.received()).singleElement().asString().startsWith("NACK #1 40160/401 ");

        ann.send(auth(token("ann", 60, "{\"orders\":[\"subscribe\"]}")));
        assertThat(eve.received()).containsExactly("PRESENCE orders leave:ann''");
    }

    @Test
    void a_token_with_more_rights_grants_requested_modes_at_once() {
        Player eve = stage.connect("eve").enter("orders", "here");
        eve.take();
        Player ann = connected(token("ann", 60, "{\"orders\":[\"publish\"]}"));
        ann.attach("orders").take();
        eve.publish("orders", "not received");

        ann.send(auth(token("ann", 60, "{\"orders\":[\"publish\",\"subscribe\"]}")));
        eve.publish("orders", "received");

        assertThat(ann.received())
                .containsExactly("CONNECTED", "SYNC orders present:eve'here'", "MESSAGE orders 'received'");

        Player ben = connected(token("ben", 60, "{\"orders\":[\"publish\"]}"));
        ben.attach("orders", Map.of("modes", "publish")).take();
        ben.send(auth(token("ben", 60, "{\"*\":[\"*\"]}")));
        eve.publish("orders", "not asked for");
        assertThat(ben.received()).containsExactly("CONNECTED");
    }

    @Test
    void a_waiting_claim_is_withdrawn_without_the_right_to_lead() {
        Player ann = connected(token("ann", 60, "{\"*\":[\"*\"]}"));
        ann.enter("orders", "here").take();
        ann.update("orders", "leader");

        ann.send(auth(token("ann", 60, "{\"orders\":[\"subscribe\",\"presence\"]}")));

        assertThat(ann.received())
                .containsExactly(
                        "CONNECTED",
                        "NACK #1 40910/409 claim on \"orders\" was withdrawn: its new token does not allow it to lead");
        assertThat(stage.releases).containsExactly(new Claimant("orders", "ann", ann.connectionId));
    }

    @Test
    void a_claim_that_waits_for_its_first_lease_is_withdrawn_without_the_right_to_lead() {
        Player ann = connected(token("ann", 60, "{\"*\":[\"*\"]}")).enter("orders", "leader");

        ann.send(auth(token("ann", 60, "{\"orders\":[\"subscribe\",\"presence\"]}")));

        assertThat(ann.received())
                .containsExactly(
                        "CONNECTED",
                        "NACK #0 40910/409 claim on \"orders\" was withdrawn: its new token does not allow it to lead");
        assertThat(stage.releases).containsExactly(new Claimant("orders", "ann", ann.connectionId));
    }

    @Test
    void a_leader_that_resumes_without_the_right_to_lead_loses_the_leadership() {
        Player eve = stage.connect("eve").attach("orders");
        Player ann = connected(token("ann", 20, "{\"*\":[\"*\"]}")).enter("orders", "leader");
        stage.grant(7);
        stage.pass(Duration.ofSeconds(20));
        ann.take();
        eve.take();

        resume(ann, token("ann", 60, "{\"orders\":[\"subscribe\",\"presence\"]}"));

        assertThat(ann.received()).containsExactly("CONNECTED", "PRESENCE orders update:ann''");
        assertThat(eve.received()).containsExactly("PRESENCE orders update:ann''");
        assertThat(stage.releases).containsExactly(new Claimant("orders", "ann", ann.connectionId));
    }

    @Test
    void C19_a_leader_that_resumes_without_the_right_to_presence_leaves_and_the_hub_waits_for_its_promise() {
        Player eve = stage.connect("eve").attach("orders");
        Player ann = connected(token("ann", 20, "{\"*\":[\"*\"]}"));
        ann.enter("orders", "{\"role\":\"L\",\"ttl\":30000}");
        stage.grant(7);
        stage.pass(Duration.ofSeconds(20));
        ann.take();
        eve.take();

        resume(ann, token("ann", 60, "{\"orders\":[\"subscribe\",\"publish\"]}"));

        String follower = "{\"role\":\"F\",\"ttl\":30000}";
        assertThat(ann.received()).containsExactly("CONNECTED", "PRESENCE orders update:ann'" + follower + "'");
        assertThat(eve.received())
                .containsExactly(
                        "PRESENCE orders update:ann'" + follower + "'", "PRESENCE orders leave:ann'" + follower + "'");
        stage.pass(Duration.ofMillis(29_999));
        assertThat(stage.releases).isEmpty();
        stage.pass(Duration.ofMillis(1));
        assertThat(stage.releases).containsExactly(new Claimant("orders", "ann", ann.connectionId));
    }

    @Test
    void a_waiting_claim_is_withdrawn_if_its_client_resumes_without_the_right_to_lead() {
        Player ann = connected(token("ann", 60, "{\"*\":[\"*\"]}")).enter("orders", "leader");
        ann.drop();

        resume(ann, token("ann", 60, "{\"orders\":[\"subscribe\",\"presence\"]}"));

        assertThat(ann.received())
                .containsExactly(
                        "CONNECTED",
                        "NACK #0 40910/409 claim on \"orders\" was withdrawn: its new key or token does not allow it"
                                + " to lead");
        assertThat(stage.releases).containsExactly(new Claimant("orders", "ann", ann.connectionId));
    }

    @Test
    void a_leader_that_resumes_at_another_node_without_the_right_to_presence_leaves() {
        var nodes = new NodesInMemory(HubSettings.defaults());
        NodesInMemory.Node here = nodes.node();
        NodesInMemory.Node there = nodes.node();
        Player ann = here.stage.open(Map.of("access_token", token("ann", 60, "{\"*\":[\"*\"]}")));
        ann.enter("orders", "leader");
        here.stage.grant(1);
        nodes.settle();
        ann.take();

        ann.params.put("access_token", token("ann", 60, "{\"orders\":[\"subscribe\"]}"));
        ann.resumeAt(there.stage);
        nodes.settle();

        assertThat(ann.received()).containsExactly("CONNECTED", "PRESENCE orders update:ann''");
        assertThat(here.present("orders")).isEmpty();
        assertThat(there.present("orders")).isEmpty();
    }

    @Test
    void C16_a_leader_continues_if_no_token_of_its_successor_allows_it_to_lead() {
        connected(token("ann", 60, "{\"*\":[\"*\"]}")).enter("orders", "leader");
        stage.grant(7);
        Player ben = connected(token("ben", 60, "{\"*\":[\"subscribe\",\"presence\"]}"));
        ben.enter("orders", "here");
        var toBen = new SlotStepDown("ben", Duration.ofSeconds(2), "");

        stage.stepDown("orders", toBen);
        assertThat(stage.stepDowns)
                .containsExactly(new HubEffect.SteppedDown(
                        1, SlotStepDown.Outcome.SUCCESSOR_NOT_ALLOWED, Optional.of(new Leader("ann", 7))));
        assertThat(stage.view("orders").leader()).contains(new Leader("ann", 7));

        ben.send(auth(token("ben", 60, "{\"*\":[\"*\"]}")));
        stage.stepDown("orders", toBen);
        assertThat(stage.stepDowns)
                .last()
                .extracting(HubEffect.SteppedDown::outcome)
                .isEqualTo(SlotStepDown.Outcome.DONE);
    }

    @Test
    void modes_removed_by_a_new_token_change_the_occupancy() {
        Player watcher = stage.connect("watcher").attach("orders", Map.of("occupancy", "metrics.publishers"));
        Player ann = connected(token("ann", 60, "{\"*\":[\"*\"]}")).attach("orders");
        stage.pass(OccupancySender.INTERVAL);
        watcher.take();
        ann.send(auth(token("ann", 60, "{\"*\":[\"subscribe\"]}")));
        stage.pass(OccupancySender.INTERVAL);
        assertThat(watcher.received()).containsExactly("MESSAGE orders '{\"metrics\":{\"publishers\":1}}'");
    }

    private Player connected(String token) {
        Player player = stage.open(Map.of("access_token", token));
        player.take();
        return player;
    }

    /** Resumes the client's connection with another token. */
    private static void resume(Player player, String token) {
        player.params.put("access_token", token);
        player.resume();
    }

    private static ProtocolMessage auth(String token) {
        return ProtocolMessage.builder(Action.AUTH).auth(new AuthDetails(token)).build();
    }

    private String token(String clientId, int ttlSeconds, String capability) {
        long now = stage.now().wallMillis() / 1_000;
        String client = clientId == null ? "" : ",\"x-ably-clientId\":\"" + clientId + "\"";
        return Signing.jwtOf(
                "app.key",
                "{\"iat\":" + (now - 2) + ",\"exp\":" + (now + ttlSeconds) + client + ",\"x-ably-capability\":\""
                        + capability.replace("\"", "\\\"") + "\"}",
                "secret");
    }
}
