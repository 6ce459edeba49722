package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.Leader;
import dev.doyen.hub.auth.Signing;
import dev.doyen.hub.channel.OccupancyNews;
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

/** Tokens on live connections: what they allow, when they expire, and how they are replaced. */
class TokensTest {

    private final Stage stage = new Stage();

    @Test
    void a_token_binds_the_connection_to_its_client() {
        Player ann = stage.open(Map.of("access_token", token("ann", 60, "{\"*\":[\"*\"]}")));
        assertThat(ann.takeOnly().connectionDetails().clientId()).isEqualTo("ann");

        Player bob = stage.open(Map.of("accessToken", token("ann", 60, "{\"*\":[\"*\"]}"), "clientId", "bob"));
        assertThat(bob.heard())
                .containsExactly("ERROR 40102/401 the token is bound to client \"ann\", and not good for \"bob\"");
        assertThat(bob.open).isFalse();
    }

    @Test
    void a_token_without_a_client_speaks_as_nobody() {
        Player player = stage.open(Map.of("access_token", token(null, 60, "{\"*\":[\"*\"]}")));
        assertThat(player.takeOnly().connectionDetails().clientId()).isNull();

        player.presence("orders", Player.message(dev.doyen.hub.wire.PresenceAction.ENTER, "ann", ""));
        player.enter("orders", "");

        assertThat(player.heard())
                .containsExactly(
                        "NACK #0 40012/400 the connection's token is bound to no client id, so it cannot speak as"
                                + " \"ann\"; ask for a token with that client id",
                        "NACK #1 91000/400 presence needs a client id; connect with one, or name one in the message");
    }

    @Test
    void an_attachment_gets_only_the_modes_that_the_token_allows() {
        Player ann = connected(token("ann", 60, "{\"orders\":[\"subscribe\"]}"));
        ann.attach("orders").attach("other");

        var heard = ann.take();
        assertThat(heard.get(0).flagBits() & Flags.ALL_MODES).isEqualTo(Flags.SUBSCRIBE | Flags.PRESENCE_SUBSCRIBE);
        assertThat(Lines.of(heard.get(1)))
                .isEqualTo("ERROR other 40160/401 the key or token allows none of the channel modes asked for");
    }

    @Test
    void the_default_mode_that_leads_to_nothing_is_granted_to_who_may_publish_and_has_its_operation() {
        assertThat(granted("[\"publish\"]")).isEqualTo(Flags.PUBLISH);
        assertThat(granted("[\"publish\",\"annotation-publish\"]")).isEqualTo(Flags.PUBLISH | Flags.ANNOTATION_PUBLISH);
        assertThat(granted("[\"annotation-publish\"]")).isZero();
    }

    private int granted(String operations) {
        Player ann = connected(token("ann", 60, "{\"orders\":" + operations + "}"));
        return ann.attach("orders").takeOnly().flagBits() & Flags.ALL_MODES;
    }

    @Test
    void what_the_token_does_not_allow_is_refused_with_its_name() {
        Player ann = connected(token("ann", 60, "{\"orders\":[\"subscribe\"],\"log\":[\"presence\"]}"));

        ann.publish("orders", "x").enter("orders", "").enter("log", "leader").enter("log", "here");

        assertThat(ann.heard())
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
    void the_next_token_is_asked_for_half_a_minute_before_the_end_and_taken_without_a_break() {
        Player ann = connected(token("ann", 60, "{\"*\":[\"*\"]}"));
        ann.attach("orders").take();

        stage.pass(Duration.ofSeconds(30));
        assertThat(ann.heard()).contains("AUTH");
        ann.send(auth(token("ann", 60, "{\"*\":[\"*\"]}")));
        ProtocolMessage connected = ann.takeOnly();
        assertThat(connected.action()).isEqualTo(Action.CONNECTED);
        assertThat(connected.connectionId()).isEqualTo(ann.connectionId);
        assertThat(connected.error()).isNull();

        stage.pass(Duration.ofSeconds(59));
        assertThat(ann.heard()).contains("AUTH");
        assertThat(ann.open).isTrue();
        stage.pass(Duration.ofSeconds(1));
        assertThat(ann.heard()).endsWith("DISCONNECTED 40142/401 the token expired; ask for another");
        assertThat(ann.open).isFalse();
    }

    @Test
    void who_has_a_short_token_is_not_asked_and_may_resume_with_the_next() {
        Player ann = connected(token("ann", 20, "{\"*\":[\"*\"]}"));
        String connection = ann.connectionId;

        stage.pass(Duration.ofSeconds(20));
        assertThat(ann.heard())
                .doesNotContain("AUTH")
                .endsWith("DISCONNECTED 40142/401 the token expired; ask for another");

        Player again = stage.open(Map.of("access_token", token("ann", 20, "{\"*\":[\"*\"]}"), "resume", ann.key));
        assertThat(again.takeOnly().connectionId()).isEqualTo(connection);
    }

    @Test
    void who_has_a_token_for_just_half_a_minute_is_not_asked() {
        Player ann = connected(token("ann", 30, "{\"*\":[\"*\"]}"));
        stage.pass(Duration.ofSeconds(30));
        assertThat(ann.heard())
                .doesNotContain("AUTH")
                .endsWith("DISCONNECTED 40142/401 the token expired; ask for another");
    }

    @Test
    void nothing_waits_for_the_end_of_a_token_whose_connection_has_ended() {
        Player ann = stage.open(Map.of("access_token", token("ann", 3_600, "{\"*\":[\"*\"]}"), "heartbeats", "false"));
        assertThat(stage.hub.nextWakeNanos()).isPresent();

        ann.close();

        assertThat(stage.hub.nextWakeNanos()).isEmpty();
    }

    @Test
    void a_token_that_is_not_good_ends_the_connection_whatever_was_wrong_with_it() {
        Player ann = connected(token("ann", 60, "{\"*\":[\"*\"]}"));
        ann.send(auth(token("ann", -1, "{\"*\":[\"*\"]}")));
        assertThat(ann.heard()).containsExactly("ERROR 40101/401 the token expired 1000 ms ago; ask for another");
        assertThat(ann.open).isFalse();

        Player bob = connected(token("bob", 60, "{\"*\":[\"*\"]}"));
        bob.send(auth(token("ann", 60, "{\"*\":[\"*\"]}")));
        assertThat(bob.heard())
                .containsExactly("ERROR 40102/401 the token is bound to client \"ann\", and not good for \"bob\"");

        Player cy = connected(token(null, 60, "{\"*\":[\"*\"]}"));
        cy.send(auth(token("ann", 60, "{\"*\":[\"*\"]}")));
        assertThat(cy.heard())
                .containsExactly("ERROR 40102/401 the token is bound to client \"ann\", and the connection to none;"
                        + " connect anew");

        Player dan = stage.connect("dan");
        dan.send(ProtocolMessage.of(Action.AUTH));
        assertThat(dan.heard()).containsExactly("ERROR 40101/401 the AUTH frame has no auth.accessToken");
    }

    @Test
    void a_token_that_allows_less_takes_the_rest_away() {
        Player eve = stage.connect("eve").attach("orders");
        eve.take();
        Player ann = connected(token("ann", 60, "{\"*\":[\"*\"]}"));
        ann.attach("orders").attach("log").enter("orders", "leader");
        stage.grant(7);
        ann.take();
        eve.take();

        ann.send(auth(token("ann", 60, "{\"orders\":[\"subscribe\",\"presence\"]}")));

        assertThat(ann.heard())
                .containsExactly(
                        "CONNECTED",
                        "ERROR log 40160/401 the new token allows nothing on channel \"log\"",
                        "PRESENCE orders update:ann''");
        assertThat(eve.heard()).containsExactly("PRESENCE orders update:ann''");
        assertThat(stage.view("log").attachments()).isZero();
        assertThat(stage.releases).containsExactly(new Claimant("orders", "ann", ann.connectionId));
        ann.publish("orders", "x");
        assertThat(ann.heard()).singleElement().asString().startsWith("NACK #1 40160/401 ");

        ann.send(auth(token("ann", 60, "{\"orders\":[\"subscribe\"]}")));
        assertThat(eve.heard()).containsExactly("PRESENCE orders leave:ann''");
    }

    @Test
    void a_token_that_allows_more_gives_it_at_once_of_what_was_asked_for() {
        Player eve = stage.connect("eve").enter("orders", "here");
        eve.take();
        Player ann = connected(token("ann", 60, "{\"orders\":[\"publish\"]}"));
        ann.attach("orders").take();
        eve.publish("orders", "unheard");

        ann.send(auth(token("ann", 60, "{\"orders\":[\"publish\",\"subscribe\"]}")));
        eve.publish("orders", "heard");

        assertThat(ann.heard()).containsExactly("CONNECTED", "SYNC orders present:eve'here'", "MESSAGE orders 'heard'");

        Player ben = connected(token("ben", 60, "{\"orders\":[\"publish\"]}"));
        ben.attach("orders", Map.of("modes", "publish")).take();
        ben.send(auth(token("ben", 60, "{\"*\":[\"*\"]}")));
        eve.publish("orders", "not asked for");
        assertThat(ben.heard()).containsExactly("CONNECTED");
    }

    @Test
    void a_claim_that_waits_is_withdrawn_when_leading_is_no_longer_allowed() {
        Player ann = connected(token("ann", 60, "{\"*\":[\"*\"]}"));
        ann.enter("orders", "here").take();
        ann.update("orders", "leader");

        ann.send(auth(token("ann", 60, "{\"orders\":[\"subscribe\",\"presence\"]}")));

        assertThat(ann.heard())
                .containsExactly(
                        "CONNECTED",
                        "NACK #1 40910/409 claim on \"orders\" was withdrawn: its new token does not allow it to lead");
        assertThat(stage.releases).containsExactly(new Claimant("orders", "ann", ann.connectionId));
    }

    @Test
    void C16_a_leader_goes_on_if_no_token_of_its_successor_allows_it_to_lead() {
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
    void what_a_new_token_takes_from_an_attachment_is_news_of_occupancy() {
        Player watcher = stage.connect("watcher").attach("orders", Map.of("occupancy", "metrics.publishers"));
        Player ann = connected(token("ann", 60, "{\"*\":[\"*\"]}")).attach("orders");
        stage.pass(OccupancyNews.INTERVAL);
        watcher.take();
        ann.send(auth(token("ann", 60, "{\"*\":[\"subscribe\"]}")));
        stage.pass(OccupancyNews.INTERVAL);
        assertThat(watcher.heard()).containsExactly("MESSAGE orders '{\"metrics\":{\"publishers\":1}}'");
    }

    private Player connected(String token) {
        Player player = stage.open(Map.of("access_token", token));
        player.take();
        return player;
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
