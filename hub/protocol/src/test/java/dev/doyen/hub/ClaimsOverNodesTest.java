package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.Leader;
import dev.doyen.hub.claim.HeldClaim;
import dev.doyen.hub.content.Extras;
import dev.doyen.hub.nodes.ChangeText;
import dev.doyen.hub.settings.ChannelRule;
import dev.doyen.hub.settings.ChannelRules;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.settings.Slot;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.step.SlotStepDown;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.Format;
import dev.doyen.hub.wire.FrameCodec;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.ProtocolMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Tests claims on several nodes (rules C2, C3, C4, C16 and C19). A client claims at one node. In most tests, its claim
 * ends because of an event at another node.
 *
 * <p>The class is longer than most classes, because each rule has its own test.
 */
class ClaimsOverNodesTest {

    private static final String DESK = "desk";
    private static final String WITH_TTL = "{\"role\":\"L\",\"ttl\":2000}";
    private static final HubSettings SETTINGS = HubSettings.builder()
            .channelRules(new ChannelRules(List.of(ChannelRule.of(DESK).fenced())))
            .build();

    private final NodesInMemory cluster = new NodesInMemory(SETTINGS);
    private final NodesInMemory.Node here = cluster.node();
    private final NodesInMemory.Node there = cluster.node();
    private final Player ann = here.stage.connect("ann");
    private final Player ben = there.stage.connect("ben");
    private final Player watcher = there.stage.connect("watcher").attach(DESK);

    private Claimant leads(String data) {
        ann.enter(DESK, data);
        Claimant claimant = here.stage.claims.get(0);
        here.stage.grant(claimant, 1);
        cluster.settle();
        ann.take();
        watcher.take();
        return claimant;
    }

    @Test
    void C2_a_granted_claim_ends_the_claim_of_a_holder_on_a_frozen_node_that_is_not_evicted_yet() {
        leads("leader");
        here.cut = true;
        ben.enter(DESK, "leader");
        there.stage.grant(2);
        cluster.settle();

        assertThat(watcher.received())
                .containsExactly("PRESENCE desk update:ann''", "PRESENCE desk enter:ben'leader'@2");
        Player late = there.stage.connect("late").attach(DESK);
        assertThat(late.received().toString()).contains("present:ann''").contains("present:ben'leader'@2");
    }

    @Test
    void C2_the_same_client_on_another_connection_is_another_holder() {
        leads("leader");
        here.cut = true;
        there.stage.connect("ann").enter(DESK, "leader");
        there.stage.grant(2);
        cluster.settle();
        assertThat(watcher.received())
                .containsExactly("PRESENCE desk update:ann''", "PRESENCE desk enter:ann'leader'@2");
    }

    @Test
    void C2_a_member_that_claims_in_a_later_term_does_not_end_its_own_claim() {
        watcher.take();
        cluster.append(presented("a", 5));
        cluster.append(presented("a", 6));
        cluster.settle();
        assertThat(watcher.received())
                .containsExactly("PRESENCE desk enter:a'leader'@5", "PRESENCE desk update:a'leader'@6");
    }

    /** Returns another node's log entry in which a member claims the leader slot. */
    private static String presented(String clientId, long term) {
        PresenceMessage message = Player.message(PresenceAction.ENTER, clientId, "leader")
                .withExtras(Extras.withClaim(null, term, new Slot("leader", 1)));
        ProtocolMessage frame = Player.presenceFrame(DESK, term, message).toBuilder()
                .connectionId("connection")
                .build();
        return ChangeText.head("presented", "another", term).put("spelling", DESK) + "\n"
                + new String(new FrameCodec(65_536).encode(frame, Format.JSON), StandardCharsets.UTF_8);
    }

    @Test
    void C10_a_holder_on_a_frozen_node_loses_its_claim_when_the_node_reads_the_next_claim() {
        Claimant former = leads("leader");
        here.cut = true;
        ben.enter(DESK, "leader");
        there.stage.grant(2);
        cluster.settle();
        ann.publish(DESK, Player.fenced("too late to be accepted", 1));
        here.mend();
        cluster.settle();

        assertThat(ann.received())
                .containsExactly(
                        "NACK #1 40911/409 your term has ended: leader/1 is held in term 2",
                        "PRESENCE desk update:ann''");
        assertThat(here.stage.releases).containsExactly(former);
        ann.publish(DESK, Player.fenced("later still", 1));
        assertThat(ann.received())
                .containsExactly("NACK #2 40911/409 fence 1: nobody leads \"desk\" now; the last term was 1");
        assertThat(watcher.received()).noneMatch(line -> line.startsWith("MESSAGE"));
    }

    @Test
    void C2_a_claim_of_another_slot_number_ends_no_claim() {
        var rule = ChannelRule.of(DESK).withSlots(Map.of("worker", 2));
        var pool = new NodesInMemory(HubSettings.builder()
                .channelRules(new ChannelRules(List.of(rule)))
                .build());
        NodesInMemory.Node one = pool.node();
        NodesInMemory.Node two = pool.node();
        String worker = "{\"role\":\"L\",\"slot\":\"worker\"}";
        one.stage.connect("ann").enter(DESK, worker);
        one.stage.grant(1);
        pool.settle();
        Player second = two.stage.connect("ben").enter(DESK, worker);
        two.stage.refuse(two.stage.claims.get(0), Optional.of(new Leader("ann", 1)));
        two.stage.grant(two.stage.claims.get(1), 7);
        pool.settle();

        assertThat(second.received().toString()).contains("@7");
        assertThat(two.stage.connect("late").attach(DESK).received().toString())
                .contains("present:ann'" + worker + "'@1")
                .contains("present:ben'" + worker + "'@7");
    }

    @Test
    void C3_a_term_of_another_slot_does_not_show_that_the_holder_still_claims() {
        var rule = ChannelRule.of(DESK).withSlots(Map.of("leader", 1, "worker", 1));
        var pool = new NodesInMemory(HubSettings.builder()
                .channelRules(new ChannelRules(List.of(rule)))
                .build());
        NodesInMemory.Node one = pool.node();
        NodesInMemory.Node two = pool.node();
        one.stage.connect("ann").enter(DESK, "{\"role\":\"L\",\"slot\":\"worker\"}");
        one.stage.grant(7);
        pool.settle();
        Player second = two.stage.connect("ben").enter(DESK, "leader");
        two.stage.refuse(two.stage.claims.get(0), Optional.of(new Leader("former", 7)));
        assertThat(second.received()).as("the claim waits for the lease").isEmpty();
        two.stage.pass(Duration.ofSeconds(1));
        assertThat(two.stage.claims).extracting(Claimant::slot).containsExactly(Slot.LEADER, Slot.LEADER);
    }

    @Test
    void C16_only_the_node_that_executes_a_command_applies_the_cooldown_and_the_reservation() {
        leads("leader");
        Player eve = here.stage.connect("eve");
        here.stage.stepDown(DESK, new SlotStepDown("", Duration.ofSeconds(5), "a command"));
        cluster.settle();
        ann.take();
        ann.update(DESK, "leader");
        assertThat(ann.received()).last().asString().contains("closed to \"ann\"");
        there.stage.connect("ann").enter(DESK, "leader");
        assertThat(there.stage.claims).hasSize(1);
        there.stage.grant(2);
        cluster.settle();

        eve.enter(DESK, "a member");
        cluster.settle();
        there.stage.stepDown(DESK, new SlotStepDown("eve", Duration.ofSeconds(5), "a command"));
        cluster.settle();
        ben.enter(DESK, "leader");
        assertThat(ben.received()).last().asString().contains("is reserved for \"eve\"");
        here.stage.claims.clear();
        here.stage.connect("dan").enter(DESK, "leader");
        assertThat(here.stage.claims).hasSize(1);
    }

    @Test
    void C19_a_lease_that_ends_by_a_command_at_another_node_is_released_when_the_holder_confirms() {
        Claimant former = leads(WITH_TTL);
        here.stage.lose(former, 1);
        cluster.settle();
        here.stage.pass(Duration.ofSeconds(1));
        assertThat(here.stage.releases).isEmpty();
        ann.update(DESK, "{\"role\":\"F\"}");
        assertThat(here.stage.releases).containsExactly(former);
    }

    @Test
    void C19_without_a_confirmation_the_lease_is_released_when_the_promise_ends() {
        Claimant former = leads(WITH_TTL);
        here.stage.lose(former, 1);
        cluster.settle();
        here.stage.pass(Duration.ofMillis(1_999));
        assertThat(here.stage.releases).isEmpty();
        here.stage.pass(Duration.ofMillis(1));
        assertThat(here.stage.releases).containsExactly(former);
    }

    @Test
    void C19_a_command_that_arrives_before_the_claim_is_in_the_log_also_waits_for_the_promise() {
        ann.enter(DESK, "sent before the claim, and read after its end");
        ann.update(DESK, WITH_TTL);
        here.stage.grant(1);
        here.stage.stepDown(DESK, new SlotStepDown("", Duration.ofSeconds(1), "a command"));
        cluster.settle();
        here.stage.pass(Duration.ofMillis(1_999));
        assertThat(here.stage.releases).isEmpty();
        here.stage.pass(Duration.ofMillis(1));
        assertThat(here.stage.releases).hasSize(1);
    }

    @Test
    void C19_the_wait_for_a_leader_that_moved_to_another_node_ends_when_it_confirms_there() {
        Claimant former = leads(WITH_TTL);
        ann.resumeAt(there.stage);
        cluster.settle();
        assertThat(watcher.received()).contains("PRESENCE desk update:ann'{\"role\":\"F\",\"ttl\":2000}'");
        assertThat(here.stage.releases).isEmpty();
        ann.update(DESK, "{\"role\":\"F\"}");
        assertThat(here.stage.releases)
                .as("the node has not read the confirmation yet")
                .isEmpty();
        cluster.settle();
        assertThat(here.stage.releases).containsExactly(former);
    }

    @Test
    void C19_the_wait_for_a_silent_leader_that_moved_to_another_node_ends_with_its_promise() {
        Claimant former = leads(WITH_TTL);
        ann.resumeAt(there.stage);
        cluster.settle();
        here.stage.pass(Duration.ofMillis(1_999));
        assertThat(here.stage.releases).isEmpty();
        here.stage.pass(Duration.ofMillis(1));
        assertThat(here.stage.releases).containsExactly(former);
    }

    @Test
    void C19_a_channel_is_removed_after_its_former_leader_has_left_it_at_another_node() {
        leads(WITH_TTL);
        ann.resumeAt(there.stage);
        cluster.settle();
        ann.leave(DESK);
        cluster.settle();
        here.stage.pass(Duration.ofDays(2));
        assertThat(here.hub().channels()).isEmpty();
    }

    @Test
    void C3_a_channel_is_removed_after_the_connection_of_its_waiting_claim_has_moved_to_another_node() {
        ann.enter("quiet", "leader");
        ann.resumeAt(there.stage);
        cluster.settle();
        assertThat(here.stage.releases).hasSize(1);
        here.stage.pass(SETTINGS.connectionStateTtl());
        assertThat(here.hub().channels()).isEmpty();
    }

    @Test
    void C19_the_lease_of_a_claim_repeated_before_a_move_is_released_when_the_promise_ends() {
        Claimant former = leads(WITH_TTL);
        here.cut = true;
        ann.update(DESK, WITH_TTL);
        ann.resumeAt(there.stage);
        cluster.settle();
        here.mend();
        assertThat(here.step()).as("the log rejects the update").isTrue();
        assertThat(here.stage.releases).isEmpty();
        cluster.settle();
        here.stage.pass(Duration.ofMillis(1_999));
        assertThat(here.stage.releases).isEmpty();
        here.stage.pass(Duration.ofMillis(1));
        assertThat(here.stage.releases).containsExactly(former);
    }

    @Test
    void C3_a_claim_that_the_log_rejects_gets_a_nack_and_its_lease_is_released() {
        ann.enter(DESK, "leader");
        here.cut = true;
        here.stage.grant(1);
        Claimant claimant = here.stage.claims.get(0);
        assertThat(here.hub().claims()).extracting(HeldClaim::claimant).containsExactly(claimant);
        Player again = there.stage.open(Map.of("key", Stage.KEY, "clientId", "ann", "resume", ann.key));
        cluster.settle();
        assertThat(again.connectionId).isEqualTo(ann.connectionId);
        here.mend();
        assertThat(here.step()).isTrue();
        assertThat(ann.received()).containsExactly("NACK #0 80003/400 another node has this connection now");
        assertThat(here.hub().claims()).isEmpty();
        assertThat(here.stage.releases).containsExactly(claimant);
        cluster.settle();
        here.stage.pass(SETTINGS.connectionStateTtl());
        assertThat(here.hub().channels()).isEmpty();
    }

    @Test
    void C19_the_lease_of_a_failed_connection_is_released_when_the_promise_of_the_holder_ends() {
        Claimant former = leads(WITH_TTL);
        here.stage.carry(here.hub().garbled(here.stage.now(), ann.session, "nonsense"));
        cluster.settle();
        assertThat(watcher.received()).containsExactly("PRESENCE desk leave:ann'" + WITH_TTL + "'");
        here.stage.pass(Duration.ofMillis(1_999));
        assertThat(here.stage.releases).isEmpty();
        here.stage.pass(Duration.ofMillis(1));
        assertThat(here.stage.releases).containsExactly(former);
    }

    @Test
    void C19_a_disconnected_node_releases_the_lease_when_the_promise_of_the_holder_ends() {
        Claimant former = leads(WITH_TTL);
        here.stage.carry(here.stage.hub.outOfTouch(here.stage.now(), "Redis did not answer"));
        here.stage.pass(Duration.ofMillis(1_999));
        assertThat(here.stage.releases).isEmpty();
        here.stage.pass(Duration.ofMillis(1));
        assertThat(here.stage.releases).containsExactly(former);
    }

    @Test
    void C19_a_node_that_joins_again_still_waits_for_the_promise_of_a_former_holder() {
        Claimant former = leads(WITH_TTL);
        here.stage.carry(here.hub().outOfTouch(here.stage.now(), "Redis did not answer"));
        here.kill();
        there.bury(here);
        here.join();
        here.stage.pass(Duration.ofMillis(1_999));
        assertThat(here.hub().claims()).containsExactly(new HeldClaim(former, null));
        assertThat(here.stage.releases).isEmpty();
        here.stage.pass(Duration.ofMillis(1));
        assertThat(here.hub().claims()).isEmpty();
        assertThat(here.stage.releases).containsExactly(former);
    }

    @Test
    void C19_the_lease_of_a_leader_that_closes_while_its_node_is_cut_off_is_released() {
        Claimant former = leads("leader");
        here.cut = true;
        ann.send(ProtocolMessage.of(Action.CLOSE));
        assertThat(here.stage.releases)
                .as("the node has not read the end of the claim yet")
                .isEmpty();
        here.stage.carry(here.hub().outOfTouch(here.stage.now(), "Redis did not answer"));
        assertThat(here.stage.releases).containsExactly(former);
    }

    @Test
    void C19_the_lease_of_a_leader_that_detaches_while_its_node_is_cut_off_is_released() {
        ann.attach(DESK);
        Claimant former = leads("leader");
        here.cut = true;
        ann.send(ProtocolMessage.builder(Action.DETACH).channel(DESK).build());
        ann.send(ProtocolMessage.of(Action.CLOSE));
        here.stage.carry(here.hub().outOfTouch(here.stage.now(), "Redis did not answer"));
        assertThat(here.stage.releases).containsExactly(former);
    }

    @Test
    void C19_the_lease_of_a_leader_that_closes_an_old_socket_after_its_move_is_released() {
        Claimant former = leads("leader");
        here.cut = true;
        there.stage.open(Map.of("key", Stage.KEY, "clientId", "ann", "resume", ann.key));
        ann.send(ProtocolMessage.of(Action.CLOSE));
        here.mend();
        cluster.settle();
        assertThat(here.stage.releases).containsExactly(former);
    }

    @Test
    void C7_a_ping_is_not_answered_before_the_event_that_the_claim_has_ended() {
        leads(WITH_TTL);
        here.stage.stepDown(DESK, new SlotStepDown("", Duration.ofSeconds(1), "a command"));
        ann.send(ping("early"));
        assertThat(ann.received()).isEmpty();
        cluster.settle();
        ann.send(ping("late"));
        assertThat(ann.received())
                .containsExactly("PRESENCE desk update:ann'{\"role\":\"F\",\"ttl\":2000}'", "HEARTBEAT late");
    }

    @Test
    void C7_a_ping_is_answered_before_a_granted_claim_is_in_the_log() {
        ann.enter(DESK, WITH_TTL);
        here.stage.grant(1);
        ann.send(ping("held"));
        assertThat(ann.received()).containsExactly("HEARTBEAT held");
    }

    @Test
    void C7_a_ping_is_not_answered_while_the_log_contains_neither_the_claim_nor_its_end() {
        ann.enter(DESK, WITH_TTL);
        here.stage.grant(1);
        here.stage.stepDown(DESK, new SlotStepDown("", Duration.ofSeconds(1), "a command"));
        ann.send(ping("early"));
        assertThat(ann.received()).isEmpty();
        cluster.settle();
        ann.send(ping("late"));
        assertThat(ann.received()).last().isEqualTo("HEARTBEAT late");
    }

    @Test
    void C7_a_ping_at_the_new_node_of_a_leader_is_not_answered_before_the_claim_has_ended() {
        leads(WITH_TTL);
        ann.resumeAt(there.stage);
        while (!ann.open || ann.take().isEmpty()) {
            assertThat(there.step()).isTrue();
        }
        ann.send(ping("early"));
        assertThat(ann.received()).isEmpty();
        cluster.settle();
        ann.send(ping("late"));
        assertThat(ann.received()).last().isEqualTo("HEARTBEAT late");
    }

    private static ProtocolMessage ping(String id) {
        return ProtocolMessage.builder(Action.HEARTBEAT).id(id).build();
    }
}
