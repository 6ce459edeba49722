package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.step.HubEffect;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.ProtocolMessage;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests holders with a promise, and claims that the store ends (rules C6 to C8). */
class PromiseTest {

    private static final String WITH_TTL = "{\"role\":\"L\",\"ttl\":2000,\"n\":[1,2]}";

    private final Stage stage = new Stage();
    private final Player watcher = stage.connect("watcher").attach("x");

    private Player leader(String data) {
        Player ann = stage.connect("ann").attach("x").enter("x", data);
        stage.grant(5);
        ann.take();
        watcher.take();
        return ann;
    }

    private Claimant claimant(Player player) {
        return new Claimant("x", "ann", player.connectionId);
    }

    @Test
    void C7_a_silent_holder_loses_its_claim_and_stays_present() {
        Player ann = leader(WITH_TTL);
        stage.pass(Duration.ofMillis(1_999));
        assertThat(watcher.received()).isEmpty();
        stage.effects.clear();
        stage.pass(Duration.ofMillis(1));

        ProtocolMessage event = watcher.takeOnly();
        assertThat(Lines.of(event)).isEqualTo("PRESENCE x update:ann'{\"role\":\"F\",\"ttl\":2000,\"n\":[1,2]}'");
        PresenceMessage member = event.presence().get(0);
        assertThat(member.encoding()).isEqualTo("json");
        assertThat(member.id()).startsWith("synth-").doesNotStartWith(ann.connectionId);
        assertThat(member.connectionId()).isEqualTo(ann.connectionId);
        assertThat(member.timestamp()).isGreaterThan(Stage.START_MILLIS);
        assertThat(ann.received()).containsExactly(Lines.of(event));
        assertThat(stage.effects).endsWith(new HubEffect.Release(claimant(ann)));
        assertThat(stage.view("x").members()).isEqualTo(1);
        assertThat(stage.view("x").leader()).isEmpty();
    }

    @Test
    void C7_any_frame_renews_the_promise() {
        Player ann = leader(WITH_TTL);
        for (int i = 0; i < 10; i++) {
            stage.pass(Duration.ofMillis(1_900));
            ann.send(
                    i % 2 == 0
                            ? ProtocolMessage.of(Action.HEARTBEAT)
                            : ProtocolMessage.builder(Action.SYNC).channel("x").build());
        }
        assertThat(stage.releases).isEmpty();
        stage.pass(Duration.ofSeconds(2));
        assertThat(stage.releases).containsExactly(claimant(ann));
    }

    @Test
    void C7_a_promise_that_expired_before_an_input_ends_the_claim_without_a_timer() {
        Player ann = leader(WITH_TTL);
        stage.passAsleep(Duration.ofSeconds(3));
        ann.publish("x", Player.fenced("late", 5));
        assertThat(ann.take())
                .last()
                .satisfies(nack -> assertThat(nack.error().code()).isEqualTo(40911));
    }

    @Test
    void C7_the_former_holder_receives_the_end_of_its_claim_without_an_attachment() {
        Player ann = stage.connect("ann").enter("x", WITH_TTL);
        stage.grant(5);
        ann.take();
        stage.pass(Duration.ofSeconds(2));
        assertThat(ann.received()).contains("PRESENCE x update:ann'{\"role\":\"F\",\"ttl\":2000,\"n\":[1,2]}'");
    }

    @Test
    void C7_a_claim_without_a_promise_lasts_as_long_as_the_membership() {
        leader("leader");
        stage.pass(Duration.ofHours(1));
        assertThat(stage.releases).isEmpty();
    }

    @Test
    void C7_an_update_changes_the_promise() {
        Player ann = leader(WITH_TTL);
        ann.update("x", "{\"role\":\"L\",\"ttl\":10000}");
        stage.pass(Duration.ofMillis(9_999));
        assertThat(stage.releases).isEmpty();
        ann.update("x", "{\"role\":\"L\"}");
        stage.pass(Duration.ofMinutes(1));
        assertThat(stage.releases).isEmpty();
        ann.update("x", WITH_TTL);
        stage.pass(Duration.ofSeconds(2));
        assertThat(stage.releases).hasSize(1);
    }

    @Test
    void C7_the_promise_continues_while_the_socket_is_lost() {
        Player ann = leader(WITH_TTL);
        ann.drop();
        stage.pass(Duration.ofSeconds(2));
        assertThat(stage.releases).containsExactly(claimant(ann));
        assertThat(stage.view("x").members()).isEqualTo(1);
    }

    @Test
    void C7_a_short_grace_does_not_shorten_the_promise() {
        var stage = new Stage(
                HubSettings.builder().remainPresentFor(Duration.ofSeconds(1)).build());
        Player ann = stage.connect("ann").enter("x", "{\"role\":\"L\",\"ttl\":10000}");
        stage.grant(5);
        ann.drop();
        stage.pass(Duration.ofMillis(9_999));
        assertThat(stage.releases).isEmpty();
        assertThat(stage.view("x").members()).isEqualTo(1);
        stage.pass(Duration.ofMillis(1));
        assertThat(stage.releases).containsExactly(claimant(ann));
        assertThat(stage.view("x").members()).isZero();
    }

    @Test
    void C7_a_ttl_above_that_of_the_leases_is_rejected() {
        var bounded = new Stage(
                HubSettings.builder().maxClaimTtl(Duration.ofSeconds(5)).build());
        bounded.connect("ann").enter("x", "{\"role\":\"L\",\"ttl\":5000}");
        Player bob = bounded.connect("bob").enter("y", "{\"role\":\"L\",\"ttl\":5001}");
        assertThat(bounded.claims).hasSize(1);
        assertThat(bob.takeOnly().error().message())
                .isEqualTo("the claim's ttl is \"5001\"; give whole milliseconds from 1000 to 5000");
    }

    @Test
    void C6_detach_and_close_release_the_lease_before_the_promise_ends() {
        Player ann = leader(WITH_TTL);
        ann.detach("x");
        assertThat(stage.releases).containsExactly(claimant(ann));
        ann.enter("x", WITH_TTL);
        stage.grant(6);
        ann.close();
        assertThat(stage.releases).containsExactly(claimant(ann), claimant(ann));
    }

    @Test
    void C7_a_claim_ends_only_once() {
        Player ann = leader(WITH_TTL);
        ann.leave("x");
        stage.pass(Duration.ofSeconds(5));
        assertThat(stage.releases).hasSize(1);
    }

    @Test
    void C7_a_member_that_lost_its_claim_can_claim_again_and_the_times_of_its_events_rise() {
        Player ann = leader(WITH_TTL);
        stage.pass(Duration.ofSeconds(2));
        long demoted = watcher.takeOnly().presence().get(0).timestamp();
        ann.update("x", WITH_TTL);
        assertThat(stage.claims).hasSize(2);
        stage.grant(6);
        ProtocolMessage event = watcher.takeOnly();
        assertThat(Lines.of(event)).endsWith("@6");
        assertThat(event.presence().get(0).timestamp()).isGreaterThan(demoted);
    }

    @Test
    void C7_an_sdk_that_enters_a_former_leader_again_claims_again() {
        Player ann = leader(WITH_TTL);
        stage.pass(Duration.ofSeconds(2));
        ann.take();
        ann.presence("x", Player.message(PresenceAction.ENTER, null, WITH_TTL).withId(ann.connectionId + ":0:0"));
        assertThat(ann.received()).isEmpty();
        stage.grant(6);
        assertThat(ann.received()).containsExactly("PRESENCE x update:ann'" + WITH_TTL + "'@6", "ACK #1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"999", "60001", "0", "-1", "1000.5", "\"2000\"", "null", "true", "{}", "1e999", "1e30"})
    void C7_a_ttl_that_is_out_of_bounds_or_not_an_integer_is_rejected(String ttl) {
        Player ann = stage.connect("ann").enter("x", "{\"role\":\"L\",\"ttl\":" + ttl + "}");
        assertThat(ann.takeOnly().error())
                .satisfies(error -> assertThat(error.code()).isEqualTo(40003))
                .satisfies(
                        error -> assertThat(error.message()).endsWith("; give whole milliseconds from 1000 to 60000"));
        assertThat(stage.claims).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1000", "60000", "2000.0", "2e3"})
    void C7_a_ttl_within_its_bounds_is_accepted(String ttl) {
        stage.connect("ann").enter("x", "{\"role\":\"L\",\"ttl\":" + ttl + "}");
        assertThat(stage.claims).hasSize(1);
    }

    @Test
    void C7_a_ttl_in_data_without_a_claim_is_ignored() {
        Player ann = stage.connect("ann").enter("x", "{\"role\":\"F\",\"ttl\":1}");
        assertThat(ann.received()).contains("ACK #0");
    }

    @Test
    void C8_a_claim_that_the_store_ends_is_removed_from_the_data_and_released() {
        Player ann = leader("{\"role\":\"L\"}");
        stage.lose(claimant(ann), 5);
        assertThat(watcher.received()).containsExactly("PRESENCE x update:ann'{\"role\":\"F\"}'");
        assertThat(ann.received()).containsExactly("PRESENCE x update:ann'{\"role\":\"F\"}'");
        assertThat(stage.releases).containsExactly(claimant(ann));
        ann.publish("x", Player.fenced("late", 5));
        assertThat(ann.received())
                .containsExactly("NACK #1 40911/409 fence 5: nobody leads \"x\" now; the last term was 5");
    }

    @Test
    void C8_a_bare_claim_becomes_empty_data() {
        Player ann = leader("leader");
        stage.lose(claimant(ann), 5);
        assertThat(watcher.received()).containsExactly("PRESENCE x update:ann''");
        assertThat(stage.connect("bob").attach("x").received()).contains("SYNC x present:ann''");
    }

    @Test
    void C8_the_former_holder_receives_the_end_of_its_claim_under_its_own_channel_name() {
        Player ann = stage.open(Map.of("key", Stage.KEY, "clientId", "ann"));
        ann.enter("[?rewind=1]x", "leader");
        stage.grant(1);
        ann.take();
        stage.lose(claimant(ann), 1);
        assertThat(ann.received()).containsExactly("PRESENCE [?rewind=1]x update:ann''");
    }
}
