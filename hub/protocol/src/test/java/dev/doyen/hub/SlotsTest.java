package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.event.Leader;
import dev.doyen.hub.content.Extras;
import dev.doyen.hub.settings.ChannelRule;
import dev.doyen.hub.settings.ChannelRules;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.settings.Slot;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.ProtocolMessage;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests slots other than the leader slot, and the messages that their holders may publish (rules C13 to C15). */
class SlotsTest {

    private static final String WORKER = "{\"role\":\"L\",\"slot\":\"worker\"}";
    private static final String INDEXER = "{\"role\":\"L\",\"slot\":\"indexer\"}";
    private static final String L = "{\"role\":\"L\"}";
    private static final String F = "{\"role\":\"F\"}";

    private final Stage stage =
            new Stage(HubSettings.builder().channelRules(rules()).build());

    private static ChannelRules rules() {
        var slots = new LinkedHashMap<String, Integer>();
        slots.put("leader", 1);
        slots.put("indexer", 1);
        slots.put("worker", 3);
        return new ChannelRules(List.of(
                ChannelRule.of("x").withSlots(slots).fencedFor(Set.of("leader", "worker")),
                ChannelRule.of("open").withSlots(slots),
                ChannelRule.of("two").withSlots(Map.of("worker", 2)),
                ChannelRule.of("many").withSlots(Map.of("worker", 6))));
    }

    private Slot granted(Player player, long term) {
        Claimant last = stage.claims.get(stage.claims.size() - 1);
        stage.grant(last, term);
        JsonNode extras = player.take().stream()
                .filter(frame -> frame.action() == Action.PRESENCE)
                .reduce((first, second) -> second)
                .orElseThrow()
                .presence()
                .get(0)
                .extras();
        assertThat(Extras.term(extras).longValue()).isEqualTo(term);
        assertThat(Extras.slot(extras).textValue()).isEqualTo(last.slot().toString());
        return last.slot();
    }

    private Player holder(String clientId, String data, long term) {
        Player player = stage.connect(clientId).enter("x", data);
        granted(player, term);
        return player;
    }

    private static Slot worker(int number) {
        return new Slot("worker", number);
    }

    @Test
    void C13_every_slot_has_its_own_election_and_terms() {
        Player ann = holder("ann", L, 7);
        Player bob = holder("bob", INDEXER, 7);
        assertThat(stage.claims)
                .containsExactly(
                        new Claimant("x", "ann", ann.connectionId),
                        new Claimant("x", new Slot("indexer", 1), "bob", bob.connectionId));
        assertThat(stage.claims).extracting(Claimant::election).containsExactly("x", "[indexer]x");
        assertThat(stage.view("x").slots()).containsExactly(Slot.LEADER, new Slot("indexer", 1));
        assertThat(stage.view("x").holders())
                .isEqualTo(Map.of(Slot.LEADER, new Leader("ann", 7), new Slot("indexer", 1), new Leader("bob", 7)));
    }

    @Test
    void C13_a_claim_for_an_unknown_slot_is_rejected_with_the_known_slots() {
        Player ann = stage.connect("ann").enter("x", "{\"role\":\"L\",\"slot\":\"cook\"}");
        assertThat(ann.received().get(0))
                .startsWith("NACK #0 40003/400 the claim's slot")
                .contains("cook")
                .endsWith("is none of this channel's; there are leader, indexer, worker");
        ann.enter("x", "{\"role\":\"L\",\"slot\":7}").enter("y", WORKER).enter("two", "leader");
        assertThat(ann.received()).hasSize(3).allMatch(line -> line.contains("40003/400 the claim's slot"));
        assertThat(stage.claims).isEmpty();
    }

    @Test
    void C13_the_rejection_for_a_slot_with_one_number_names_the_holder() {
        holder("ann", INDEXER, 4);
        Player bob = stage.connect("bob").enter("x", INDEXER);
        assertThat(bob.received())
                .containsExactly("NACK #0 40910/409 claim on indexer of \"x\" is held by \"ann\" in term 4");
    }

    @Test
    void C13_a_member_holds_one_claim_at_most() {
        Player ann = holder("ann", WORKER, 4);
        ann.update("x", L);
        assertThat(ann.received())
                .containsExactly("NACK #1 40910/409 \"ann\" holds worker/1 of \"x\" in term 4, and a member holds one"
                        + " claim at most; release it first");
        ann.presence(
                "x",
                Player.message(PresenceAction.UPDATE, null, L),
                Player.message(PresenceAction.UPDATE, null, WORKER));
        assertThat(ann.takeOnly().error().code()).isEqualTo(40910);
        ann.update("x", F).update("x", L);
        assertThat(stage.releases).extracting(Claimant::slot).containsExactly(worker(1));
        assertThat(granted(ann, 1)).isEqualTo(Slot.LEADER);
    }

    @Test
    void C13_a_claim_for_another_slot_withdraws_the_waiting_claim_of_the_member() {
        Player ann = stage.connect("ann").enter("x", WORKER);
        ann.enter("x", L);
        assertThat(ann.received()).singleElement().asString().contains("its member claims another slot instead");
        assertThat(stage.releases).extracting(Claimant::slot).containsExactly(worker(1));
        assertThat(granted(ann, 3)).isEqualTo(Slot.LEADER);
    }

    @Test
    void C13_each_member_of_a_connection_can_hold_its_own_slot() {
        Player any = stage.open(Map.of("key", Stage.KEY));
        any.take();
        any.presence("x", Player.message(PresenceAction.ENTER, "a", WORKER));
        granted(any, 1);
        any.presence("x", Player.message(PresenceAction.ENTER, "b", WORKER));
        assertThat(granted(any, 1)).isEqualTo(worker(2));
        any.close();
        assertThat(stage.releases).extracting(Claimant::slot).containsExactlyInAnyOrder(worker(1), worker(2));
    }

    @Test
    void C13_a_claim_is_rejected_if_its_channel_name_is_not_a_valid_election_name() {
        Player ann = stage.connect("ann").enter("~session/1", L).enter("x".repeat(255), L);
        assertThat(ann.received())
                .containsExactly(
                        "NACK #0 40010/400 nobody can claim on channel \"~session/1\": the"
                                + " election name \"~session/1\" begins with ~, which is reserved for Doyen's own records; choose another name");
        assertThat(stage.claims).hasSize(1);
    }

    @Test
    void C14_claimants_get_the_lowest_free_number_and_keep_it() {
        Player ann = holder("ann", WORKER, 1);
        Player bob = holder("bob", WORKER, 1);
        holder("eve", WORKER, 1);
        ann.leave("x");
        Player dan = stage.connect("dan").enter("x", WORKER);
        assertThat(granted(dan, 2)).isEqualTo(worker(1));
        bob.update("x", WORKER);
        assertThat(bob.received()).last().isEqualTo("ACK #1");
        assertThat(stage.view("x").holders())
                .isEqualTo(Map.of(
                        worker(1),
                        new Leader("dan", 2),
                        worker(2),
                        new Leader("bob", 1),
                        worker(3),
                        new Leader("eve", 1)));
    }

    @Test
    void C14_a_member_that_claims_again_gets_its_last_number() {
        Player ann = holder("ann", WORKER, 1);
        Player bob = holder("bob", WORKER, 1);
        ann.close();
        bob.close();
        Player again = stage.connect("bob").enter("x", WORKER);
        assertThat(granted(again, 2)).isEqualTo(worker(2));
        Player other = stage.connect("eve").enter("x", WORKER);
        assertThat(granted(other, 2)).isEqualTo(worker(1));
    }

    @Test
    void C14_a_resumed_connection_keeps_its_number_and_its_term() {
        holder("ann", WORKER, 1);
        Player bob = holder("bob", WORKER, 5);
        bob.drop();
        stage.pass(Duration.ofSeconds(5));
        bob.resume();
        assertThat(stage.view("x").holders()).containsEntry(worker(2), new Leader("bob", 5));
        assertThat(stage.releases).isEmpty();
    }

    @Test
    void C14_the_rejection_for_a_full_slot_names_the_holders() {
        holder("ann", WORKER, 1);
        holder("bob", WORKER, 2);
        holder("eve", WORKER, 3);
        holder("zoe", L, 9);
        Player dan = stage.connect("dan").enter("x", WORKER);
        assertThat(dan.received())
                .containsExactly(
                        "NACK #0 40910/409 claim on worker of \"x\" is held by \"ann\" in term 1 (1), \"bob\" in"
                                + " term 2 (2), \"eve\" in term 3 (3): all 3 are taken");
    }

    @Test
    void C14_a_rejection_names_five_holders_and_counts_the_others() {
        for (String name : List.of("ann", "bob", "dan", "eve", "flo", "gus")) {
            granted(stage.connect(name).enter("many", WORKER), 1);
        }
        Player zoe = stage.connect("zoe").enter("many", WORKER);
        assertThat(zoe.received())
                .containsExactly(
                        "NACK #0 40910/409 claim on worker of \"many\" is held by \"ann\" in term 1 (1), \"bob\" in"
                                + " term 1 (2), \"dan\" in term 1 (3), \"eve\" in term 1 (4), \"flo\" in term 1 (5) and"
                                + " 1 more: all 6 are taken");
    }

    @Test
    void C14_a_number_that_the_store_rejects_is_skipped() {
        Player ann = stage.connect("ann").enter("x", WORKER);
        stage.refuse(stage.claims.get(0), Optional.of(new Leader("away", 9)));
        assertThat(granted(ann, 1)).isEqualTo(worker(2));
        Player bob = stage.connect("bob").enter("x", WORKER);
        stage.refuse(stage.claims.get(2), Optional.of(new Leader("away", 9)));
        stage.refuse(stage.claims.get(3), Optional.of(new Leader("gone", 8)));
        assertThat(bob.received())
                .containsExactly(
                        "NACK #0 40910/409 claim on worker of \"x\" is held by \"away\" in term 9 (1), \"ann\" in"
                                + " term 1 (2), \"gone\" in term 8 (3): all 3 are taken");
    }

    @Test
    void C14_claims_for_one_slot_are_decided_in_order_and_other_slots_do_not_wait() {
        Player ann = stage.connect("ann").enter("x", WORKER);
        Player bob = stage.connect("bob").enter("x", WORKER);
        Player eve = stage.connect("eve").enter("x", INDEXER);
        assertThat(stage.claims).extracting(Claimant::clientId).containsExactly("ann", "eve");
        stage.grant(stage.claims.get(0), 1);
        assertThat(stage.claims).extracting(Claimant::clientId).containsExactly("ann", "eve", "bob");
        assertThat(stage.claims.get(2).slot()).isEqualTo(worker(2));
        assertThat(List.of(
                        ann.received().size(),
                        bob.received().size(),
                        eve.received().size()))
                .containsExactly(2, 0, 0);
    }

    @Test
    void C7_and_C8_end_the_claim_of_one_slot_and_no_other() {
        Player ann = holder("ann", "{\"role\":\"L\",\"slot\":\"worker\",\"ttl\":1000}", 1);
        Player bob = holder("bob", WORKER, 1);
        stage.pass(Duration.ofSeconds(2));
        assertThat(ann.received()).singleElement().asString().contains("\"role\":\"F\"");
        assertThat(stage.releases).extracting(Claimant::slot).containsExactly(worker(1));
        stage.lose(new Claimant("x", worker(1), "bob", bob.connectionId), 1);
        assertThat(stage.view("x").holders()).containsOnlyKeys(worker(2));
        stage.lose(new Claimant("x", worker(2), "bob", bob.connectionId), 1);
        assertThat(stage.view("x").holders()).isEmpty();
    }

    @Test
    void C15_a_fence_is_valid_for_the_slot_of_its_sender() {
        Player ann = holder("ann", L, 7);
        Player bob = holder("bob", WORKER, 3);
        ann.publish("x", Player.fenced("1", 7)).publish("x", Player.fenced("2", 3));
        bob.publish("x", Player.fenced("3", 3)).publish("x", Player.fenced("4", 7));
        assertThat(ann.received()).endsWith("ACK #1", "NACK #2 40911/409 fence 3 < 7: \"ann\" leads \"x\" in term 7");
        assertThat(bob.received())
                .contains("ACK #1", "NACK #2 40911/409 fence 7 > 3: \"bob\" holds worker/1 of \"x\" in term 3");
    }

    @Test
    void C15_a_message_can_name_its_slot_and_the_name_must_be_correct() {
        Player bob = holder("bob", WORKER, 3);
        bob.publish("x", slotted("worker/1", 3))
                .publish("x", slotted("worker/2", 3))
                .publish("x", slotted("leader/1", 3));
        assertThat(bob.received())
                .containsExactly(
                        "ACK #1",
                        "NACK #2 40911/409 fence 3 of \"worker/2\": you hold worker/1 of \"x\" in term 3",
                        "NACK #3 40911/409 fence 3 of \"leader/1\": you hold worker/1 of \"x\" in term 3");
        Player eve = stage.connect("eve").publish("x", slotted("worker/1", 3)).publish("x", slotted("worker/2", 3));
        eve.publish("x", Player.fenced("1", 3));
        assertThat(eve.received())
                .containsExactly(
                        "NACK #0 40911/409 fence 3: \"bob\" holds worker/1 of \"x\" in term 3, not you",
                        "NACK #1 40911/409 fence 3: nobody holds worker/2 of \"x\" now",
                        "NACK #2 40911/409 fence 3: you hold no slot of \"x\" now");
    }

    @Test
    void C15_the_rule_determines_who_publishes_on_a_fenced_channel() {
        Player ann = holder("ann", INDEXER, 3);
        ann.publish("x", Player.fenced("1", 3)).publish("x", "2");
        assertThat(ann.received())
                .containsExactly(
                        "NACK #1 40911/409 channel \"x\" is fenced: only the holder of leader or worker publishes; you"
                                + " hold indexer/1",
                        "NACK #2 40911/409 channel \"x\" is fenced: only the holder of leader or worker publishes, with"
                                + " its term in extras.headers[\"doyen-term\"]");
        Player bob = stage.connect("bob").enter("open", INDEXER);
        stage.grant(1);
        bob.take();
        bob.publish("open", Player.fenced("1", 1)).publish("open", "2");
        assertThat(bob.received()).containsExactly("ACK #1", "ACK #2");
    }

    @Test
    void C15_a_message_without_a_client_id_belongs_to_the_claim_of_its_term() {
        Player any = stage.open(Map.of("key", Stage.KEY));
        any.take();
        any.presence("x", Player.message(PresenceAction.ENTER, "a", WORKER));
        granted(any, 1);
        any.presence("x", Player.message(PresenceAction.ENTER, "b", WORKER));
        granted(any, 9);
        any.publish("x", Player.fenced("1", 9))
                .publish("x", Player.fenced("1", 1))
                .publish("x", Player.fenced("1", 5));
        assertThat(any.received())
                .containsExactly(
                        "ACK #2", "ACK #3", "NACK #4 40911/409 fence 5 > 1: \"a\" holds worker/1 of \"x\" in term 1");
    }

    @Test
    void C15_an_error_for_a_member_without_a_slot_names_a_slot_only_if_it_is_unambiguous() {
        Player ann = stage.connect("ann").enter("two", WORKER);
        stage.grant(7);
        ann.take();
        Player bob = stage.connect("bob")
                .publish("two", Player.fenced("1", 7))
                .publish("two", slotted("worker/1", 7))
                .publish("two", slotted("worker/2", 7))
                .publish("two", slotted("worker/3", 7));
        assertThat(bob.received())
                .containsExactly(
                        "NACK #0 40911/409 fence 7: you hold no slot of \"two\" now",
                        "NACK #1 40911/409 fence 7: \"ann\" holds worker/1 of \"two\" in term 7, not you",
                        "NACK #2 40911/409 fence 7: nobody holds worker/2 of \"two\" now",
                        "NACK #3 40911/409 fence 7: you hold no slot of \"two\" now");
    }

    @ParameterizedTest
    @ValueSource(strings = {"doyen-slot", "doyen-term"})
    void C4_headers_of_a_claim_that_a_client_sets_on_presence_are_removed(String header) {
        ObjectNode extras = JsonNodeFactory.instance.objectNode();
        extras.putObject("headers").put(header, "worker/1").put("mine", "1");
        Player watcher = stage.connect("watcher").attach("x");
        watcher.take();
        stage.connect("ann")
                .presence(
                        "x",
                        PresenceMessage.of(PresenceAction.ENTER, null, Data.text("1"))
                                .withExtras(extras));
        ProtocolMessage received = watcher.takeOnly();
        assertThat(received.presence().get(0).extras().toString()).isEqualTo("{\"headers\":{\"mine\":\"1\"}}");
    }

    @Test
    void C4_all_headers_that_only_the_hub_sets_are_removed_together() {
        ObjectNode extras = JsonNodeFactory.instance.objectNode().put("mine", "1");
        extras.putObject("headers")
                .put("doyen-term", 7)
                .put("doyen-slot", "worker/1")
                .put("doyen-reason", "an upgrade")
                .put("doyen-successor", "ann");
        Player watcher = stage.connect("watcher").attach("x");
        watcher.take();
        stage.connect("ann")
                .presence(
                        "x",
                        PresenceMessage.of(PresenceAction.ENTER, null, Data.text("1"))
                                .withExtras(extras));
        assertThat(watcher.takeOnly().presence().get(0).extras().toString()).isEqualTo("{\"mine\":\"1\"}");
    }

    private static Message slotted(String slot, long term) {
        ObjectNode extras = JsonNodeFactory.instance.objectNode();
        extras.putObject("headers").put("doyen-term", term).put("doyen-slot", slot);
        return Message.of(null, Data.text("m")).withExtras(extras);
    }
}
