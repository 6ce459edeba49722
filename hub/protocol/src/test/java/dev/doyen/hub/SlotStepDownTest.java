package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.event.Leader;
import dev.doyen.hub.claim.HeldClaim;
import dev.doyen.hub.settings.ChannelRule;
import dev.doyen.hub.settings.ChannelRules;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.settings.Slot;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.step.HubEffect;
import dev.doyen.hub.step.SlotStepDown;
import dev.doyen.hub.step.SlotStepDown.Outcome;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.PresenceAction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests admin commands, and the reason in the event that ends a claim (rule C16). */
class SlotStepDownTest {

    private static final String L = "{\"role\":\"L\"}";
    private static final String WORKER = "{\"role\":\"L\",\"slot\":\"worker\"}";
    private static final SlotStepDown RESIGN = new SlotStepDown("", Duration.ofSeconds(5), "an upgrade");
    private static final SlotStepDown TO_BOB = new SlotStepDown("bob", Duration.ofSeconds(2), "");

    private final Stage stage = new Stage(HubSettings.builder()
            .channelRules(new ChannelRules(List.of(ChannelRule.of("y").withSlots(Map.of("leader", 1, "worker", 2)))))
            .build());
    private final Player watcher = stage.connect("watcher").attach("x");
    private final Player ann = leader("ann", 7);

    private Player leader(String clientId, long term) {
        Player player = stage.connect(clientId).enter("x", L);
        stage.grant(term);
        player.take();
        watcher.take();
        return player;
    }

    private JsonNode headersOfLastEvent() {
        return watcher.take().stream()
                .filter(frame -> frame.action() == Action.PRESENCE)
                .reduce((first, second) -> second)
                .orElseThrow()
                .presence()
                .get(0)
                .extras()
                .get("headers");
    }

    @Test
    void C16_a_member_that_resigns_by_command_stays_present_and_all_receive_the_reason() {
        stage.stepDown("x", RESIGN);
        assertThat(stage.stepDowns)
                .containsExactly(new HubEffect.SteppedDown(1, Outcome.DONE, Optional.of(new Leader("ann", 7))));
        assertThat(stage.releases).containsExactly(new Claimant("x", "ann", ann.connectionId));
        assertThat(ann.received()).containsExactly("PRESENCE x update:ann'{\"role\":\"F\"}'");
        assertThat(headersOfLastEvent().toString()).isEqualTo("{\"doyen-reason\":\"an upgrade\"}");
        assertThat(stage.view("x").members()).isEqualTo(1);
    }

    @Test
    void C20_a_hub_that_shuts_down_ends_every_claim_with_a_reason_and_releases_no_lease_itself() {
        assertThat(stage.hub.claims())
                .extracting(HeldClaim::claimant)
                .containsExactly(new Claimant("x", "ann", ann.connectionId));
        assertThat(stage.hub.claims().get(0).session()).isNotNull();
        stage.retire();
        assertThat(ann.received()).containsExactly("PRESENCE x update:ann'{\"role\":\"F\"}'");
        assertThat(headersOfLastEvent().toString()).isEqualTo("{\"doyen-reason\":\"the hub is shutting down\"}");
        assertThat(stage.releases).isEmpty();
        assertThat(stage.hub.claims()).isEmpty();
    }

    @Test
    void C16_a_member_that_resigned_by_command_has_a_cooldown_in_which_other_members_can_claim() {
        stage.stepDown("x", RESIGN);
        ann.take();
        ann.update("x", L);
        assertThat(ann.received())
                .containsExactly(
                        "NACK #1 40910/409 claim on leader/1 of \"x\" is closed to \"ann\", which an admin command"
                                + " asked to resign, for another 5000 ms");
        stage.claims.clear();
        stage.connect("bob").enter("x", L);
        assertThat(stage.claims).hasSize(1);
    }

    @Test
    void C16_the_cooldown_ends() {
        stage.stepDown("x", RESIGN);
        stage.pass(Duration.ofSeconds(5));
        stage.claims.clear();
        ann.update("x", L);
        assertThat(stage.claims).hasSize(1);
        stage.grant(8);
        assertThat(headersOfLastEvent().toString()).isEqualTo("{\"doyen-term\":8,\"doyen-slot\":\"leader/1\"}");
    }

    @Test
    void C16_a_transfer_reserves_the_slot_for_one_claim_of_the_successor() {
        Player bob = stage.connect("bob").enter("x", "1");
        Player eve = stage.connect("eve").enter("x", "1");
        eve.take();
        watcher.take();
        stage.stepDown("x", TO_BOB);
        assertThat(headersOfLastEvent().toString())
                .isEqualTo("{\"doyen-reason\":\"stepping down by an admin command\",\"doyen-successor\":\"bob\"}");
        stage.claims.clear();
        eve.update("x", L);
        assertThat(eve.received()).last().asString().contains("is reserved for \"bob\", for another 2000 ms");
        bob.update("x", L);
        assertThat(stage.claims).extracting(Claimant::clientId).containsExactly("bob");
        stage.grant(8);
        bob.update("x", "1");
        eve.update("x", L);
        assertThat(stage.claims)
                .as("the reservation ends with the claim of the successor")
                .hasSize(2);
    }

    @Test
    void C16_the_reservation_for_a_successor_that_does_not_claim_ends() {
        stage.connect("bob").enter("x", "1");
        stage.stepDown("x", TO_BOB);
        stage.pass(Duration.ofSeconds(2));
        stage.claims.clear();
        stage.connect("eve").enter("x", L);
        assertThat(stage.claims).hasSize(1);
    }

    @Test
    void C16_a_command_for_an_absent_successor_or_without_a_leader_changes_nothing() {
        stage.stepDown("x", TO_BOB);
        stage.stepDown("y", RESIGN);
        stage.stepDown("[worker/2]y", RESIGN);
        stage.stepDown("nowhere", RESIGN);
        assertThat(stage.stepDowns)
                .extracting(HubEffect.SteppedDown::outcome)
                .containsExactly(Outcome.SUCCESSOR_AWAY, Outcome.NOT_HELD, Outcome.NOT_HELD, Outcome.NOT_HELD);
        assertThat(stage.view("x").leader()).contains(new Leader("ann", 7));
        assertThat(stage.releases).isEmpty();
    }

    @Test
    void C16_a_command_ends_the_claim_of_one_slot_number_and_the_next_claim_gets_another_number() {
        Player bob = stage.connect("bob").enter("y", WORKER);
        stage.grant(1);
        Player eve = stage.connect("eve").enter("y", WORKER);
        stage.grant(1);
        stage.stepDown("[worker/2]y", RESIGN);
        assertThat(stage.view("y").holders()).containsOnlyKeys(new Slot("worker", 1));
        stage.stepDown("[worker]y", new SlotStepDown("eve", Duration.ofSeconds(2), ""));
        stage.claims.clear();
        eve.update("y", WORKER);
        assertThat(stage.claims).extracting(Claimant::slot).containsExactly(new Slot("worker", 1));
        stage.grant(2);
        bob.update("y", WORKER);
        assertThat(stage.claims.get(1).slot()).isEqualTo(new Slot("worker", 2));
    }

    @ParameterizedTest
    @CsvSource({"1999, 2", "2000, 1"})
    void C16_a_successor_gets_its_reserved_number_until_the_reservation_ends(long millis, int number) {
        Player bob = stage.connect("bob").enter("y", WORKER);
        stage.grant(1);
        stage.connect("eve").enter("y", WORKER);
        stage.grant(1);
        Player dan = stage.connect("dan").enter("y", "1");
        stage.stepDown("[worker/2]y", new SlotStepDown("dan", Duration.ofSeconds(2), ""));
        bob.leave("y");
        stage.pass(Duration.ofMillis(millis));
        stage.claims.clear();
        dan.update("y", WORKER);
        assertThat(stage.claims).extracting(Claimant::slot).containsExactly(new Slot("worker", number));
    }

    @Test
    void C20_a_claim_whose_former_holder_may_not_have_stopped_is_still_a_claim_of_the_hub() {
        Player cat = promising("cat", Duration.ofSeconds(5));
        stage.stepDown("z", RESIGN);
        assertThat(stage.hub.claims()).contains(new HeldClaim(new Claimant("z", "cat", cat.connectionId), null));
    }

    @Test
    void C16_a_pause_rejects_a_waiting_claim_with_its_reason() {
        ann.leave("x");
        Player bob = stage.connect("bob").enter("x", L);
        Player eve = stage.connect("eve").enter("x", L);
        Claimant waiting = stage.claims.get(stage.claims.size() - 1);
        stage.carry(stage.hub.claimPaused(stage.now(), waiting, "the election was paused by ops"));
        assertThat(bob.received())
                .containsExactly(
                        "NACK #0 40910/409 claim on leader/1 of \"x\" is refused: the election was paused by ops");
        assertThat(stage.releases).doesNotContain(waiting);
        assertThat(stage.claims)
                .as("the store receives the next claim")
                .endsWith(new Claimant("x", "eve", eve.connectionId));
    }

    @Test
    void C19_no_member_gets_the_slot_before_its_former_holder_has_confirmed_that_it_stopped() {
        Player bob = stage.connect("bob").enter("z", "1");
        Player cat = promising("cat", Duration.ofSeconds(5));
        stage.releases.clear();
        stage.stepDown("z", TO_BOB);
        assertThat(stage.releases).as("the lease is not released").isEmpty();
        bob.take();
        stage.claims.clear();
        bob.update("z", L);
        assertThat(bob.received())
                .containsExactly(
                        "NACK #1 40910/409 claim on leader/1 of \"z\" waits for \"cat\", whose client may not have read yet"
                                + " that its claim has ended; try again in a second");
        cat.update("z", "{\"role\":\"L\",\"ttl\":5000}");
        assertThat(stage.releases)
                .as("a claim does not confirm that the holder has stopped")
                .isEmpty();

        cat.update("z", "{\"role\":\"F\"}");
        assertThat(stage.releases).containsExactly(new Claimant("z", "cat", cat.connectionId));
        bob.update("z", L);
        assertThat(stage.claims).extracting(Claimant::clientId).containsExactly("bob");
    }

    @Test
    void C19_the_reservation_of_the_successor_begins_when_the_promise_of_the_former_holder_ends() {
        Player bob = stage.connect("bob").enter("z", "1");
        promising("cat", Duration.ofSeconds(5));
        stage.pass(Duration.ofSeconds(1));
        stage.releases.clear();
        stage.stepDown("z", TO_BOB);
        stage.pass(Duration.ofMillis(3_999));
        assertThat(stage.releases).isEmpty();
        stage.pass(Duration.ofMillis(1));
        assertThat(stage.releases).hasSize(1);
        Player eve = stage.connect("eve").enter("z", L);
        assertThat(eve.received()).last().asString().contains("is reserved for \"bob\", for another 2000 ms");
        stage.claims.clear();
        bob.update("z", L);
        assertThat(stage.claims).hasSize(1);
    }

    @Test
    void C19_the_hub_also_waits_for_a_holder_whose_claim_the_store_has_ended() {
        Player cat = promising("cat", Duration.ofSeconds(5));
        stage.releases.clear();
        stage.lose(new Claimant("z", "cat", cat.connectionId), 3);
        Player bob = stage.connect("bob").enter("z", L);
        assertThat(bob.received()).last().asString().contains("waits for \"cat\"");
        assertThat(stage.releases).isEmpty();
        cat.leave("z");
        assertThat(stage.releases).hasSize(1);
        stage.claims.clear();
        bob.enter("z", L);
        assertThat(stage.claims).hasSize(1);
    }

    @Test
    void C19_the_hub_also_waits_for_a_holder_whose_connection_failed() {
        Player cat = promising("cat", Duration.ofSeconds(5));
        stage.releases.clear();
        stage.carry(stage.hub.garbled(stage.now(), cat.session, "nonsense"));
        assertThat(stage.view("z").members()).isZero();
        stage.pass(Duration.ofMillis(4_999));
        assertThat(stage.releases).isEmpty();
        stage.pass(Duration.ofMillis(1));
        assertThat(stage.releases).containsExactly(new Claimant("z", "cat", cat.connectionId));
    }

    @Test
    void C19_the_hub_also_waits_for_a_holder_whose_attachment_failed() {
        Player cat = promising("cat", Duration.ofSeconds(5)).attach("z");
        stage.releases.clear();
        cat.attach("z", Map.of("rewind", "yesterday"));
        assertThat(stage.view("z").members()).isZero();
        stage.pass(Duration.ofMillis(4_999));
        assertThat(stage.releases).isEmpty();
        stage.pass(Duration.ofMillis(1));
        assertThat(stage.releases).containsExactly(new Claimant("z", "cat", cat.connectionId));
    }

    @Test
    void C19_the_last_promise_of_a_holder_counts() {
        Player cat = promising("cat", Duration.ofSeconds(5));
        cat.update("z", "{\"role\":\"L\",\"ttl\":10000}");
        stage.releases.clear();
        stage.stepDown("z", RESIGN);
        stage.pass(Duration.ofMillis(9_999));
        assertThat(stage.releases).isEmpty();
        stage.pass(Duration.ofMillis(1));
        assertThat(stage.releases).hasSize(1);
    }

    @Test
    void C19_the_end_of_a_former_promise_does_not_shorten_the_next_one() {
        Player cat = promising("cat", Duration.ofSeconds(5));
        var claimant = new Claimant("z", "cat", cat.connectionId);
        stage.lose(claimant, 3);
        stage.pass(Duration.ofSeconds(1));
        cat.update("z", "{\"role\":\"F\"}").update("z", "{\"role\":\"L\",\"ttl\":5000}");
        stage.grant(4);
        stage.releases.clear();
        stage.lose(claimant, 4);
        stage.pass(Duration.ofMillis(4_999));
        assertThat(stage.releases).isEmpty();
        stage.pass(Duration.ofMillis(1));
        assertThat(stage.releases).containsExactly(claimant);
    }

    @Test
    void C19_frames_of_another_connection_or_member_do_not_confirm_for_the_holder() {
        Player any = stage.open(Map.of("key", Stage.KEY));
        any.take();
        any.presence("z", Player.message(PresenceAction.ENTER, "cat", "{\"role\":\"L\",\"ttl\":5000}"));
        stage.grant(3);
        stage.lose(new Claimant("z", "cat", any.connectionId), 3);
        stage.releases.clear();
        any.presence("z", Player.message(PresenceAction.ENTER, "dog", "1"));
        stage.connect("cat").enter("z", "1");
        assertThat(stage.releases).isEmpty();
        any.presence("z", Player.message(PresenceAction.UPDATE, "cat", "1"));
        assertThat(stage.releases).containsExactly(new Claimant("z", "cat", any.connectionId));
    }

    @Test
    void C19_an_empty_channel_stays_until_the_promise_of_its_former_holder_ends() {
        var one = new Stage(HubSettings.builder()
                .maxChannels(1)
                .remainPresentFor(Duration.ofSeconds(1))
                .build());
        Player cat = one.connect("cat").enter("z", "{\"role\":\"L\",\"ttl\":5000}");
        one.grant(3);
        one.stepDown("z", RESIGN);
        cat.drop();
        one.pass(Duration.ofSeconds(2));
        assertThat(one.view("z").members()).isZero();
        Player bob = one.connect("bob").publish("y", "1");
        assertThat(bob.takeOnly().error().code()).isEqualTo(50003);
        one.pass(Duration.ofSeconds(3));
        bob.publish("y", "1");
        assertThat(bob.received()).containsExactly("ACK #1");
    }

    @Test
    void C19_and_C16_a_rejection_does_not_mention_slots_of_other_names() {
        Player cat = stage.connect("cat").enter("y", "{\"role\":\"L\",\"slot\":\"worker\",\"ttl\":5000}");
        stage.grant(3);
        stage.connect("eve").enter("y", L);
        stage.grant(4);
        Player bob = stage.connect("bob");
        stage.stepDown("[worker]y", new SlotStepDown("cat", Duration.ofSeconds(5), ""));
        bob.enter("y", L);
        cat.update("y", "1");
        bob.enter("y", L);
        String held = "40910/409 claim on \"y\" is held by \"eve\" in term 4";
        assertThat(bob.received()).containsExactly("NACK #0 " + held, "NACK #1 " + held);
    }

    /** Connects a client that leads channel z in term 3 and has promised this ttl. */
    private Player promising(String clientId, Duration ttl) {
        Player player = stage.connect(clientId).enter("z", "{\"role\":\"L\",\"ttl\":" + ttl.toMillis() + "}");
        stage.grant(3);
        player.take();
        return player;
    }

    @Test
    void C7_and_C8_send_a_reason_too() {
        stage.lose(new Claimant("x", "ann", ann.connectionId), 7);
        assertThat(headersOfLastEvent().get("doyen-reason").textValue()).isEqualTo("the store ended the claim");
        stage.connect("bob").enter("x", "{\"role\":\"L\",\"ttl\":1000}");
        stage.grant(8);
        stage.pass(Duration.ofSeconds(1));
        assertThat(headersOfLastEvent().get("doyen-reason").textValue()).isEqualTo("it sent nothing for 1000 ms");
    }
}
