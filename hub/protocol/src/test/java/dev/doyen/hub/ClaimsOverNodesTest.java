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
 * Tests claims on several nodes (rules C2, C4 and C19). A client claims at one node. In most tests, its claim ends
 * because of an event at another node.
 */
class ClaimsOverNodesTest {

    private static final String DESK = "desk";
    private static final String BEATS = "{\"role\":\"L\",\"ttl\":2000}";
    private static final HubSettings SETTINGS = HubSettings.builder()
            .channelRules(new ChannelRules(List.of(ChannelRule.of(DESK).fenced())))
            .build();

    private final NodesInMemory company = new NodesInMemory(SETTINGS);
    private final NodesInMemory.Node here = company.node();
    private final NodesInMemory.Node there = company.node();
    private final Player ann = here.stage.connect("ann");
    private final Player ben = there.stage.connect("ben");
    private final Player watcher = there.stage.connect("watcher").attach(DESK);

    private Claimant leads(String data) {
        ann.enter(DESK, data);
        Claimant claimant = here.stage.claims.get(0);
        here.stage.grant(claimant, 1);
        company.settle();
        ann.take();
        watcher.take();
        return claimant;
    }

    @Test
    void C2_who_is_granted_the_claim_has_it_alone_though_the_holders_node_is_frozen_and_not_evicted_yet() {
        leads("leader");
        here.cut = true;
        ben.enter(DESK, "leader");
        there.stage.grant(2);
        company.settle();

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
        company.settle();
        assertThat(watcher.received())
                .containsExactly("PRESENCE desk update:ann''", "PRESENCE desk enter:ann'leader'@2");
    }

    @Test
    void C2_a_member_that_claims_in_a_later_term_does_not_end_its_own_claim() {
        watcher.take();
        company.append(presented("a", 5));
        company.append(presented("a", 6));
        company.settle();
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
        company.settle();
        ann.publish(DESK, Player.fenced("too late to be let through", 1));
        here.mend();
        company.settle();

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
    void C2_a_claim_in_a_lower_slot_number_is_none_of_the_others_business() {
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
    void C19_a_lease_that_the_store_ends_for_another_nodes_command_is_kept_until_the_holder_confirms() {
        Claimant former = leads(BEATS);
        here.stage.lose(former, 1);
        company.settle();
        here.stage.pass(Duration.ofSeconds(1));
        assertThat(here.stage.releases).isEmpty();
        ann.update(DESK, "{\"role\":\"F\"}");
        assertThat(here.stage.releases).containsExactly(former);
    }

    @Test
    void C19_without_a_confirmation_it_is_kept_until_the_promise_ends() {
        Claimant former = leads(BEATS);
        here.stage.lose(former, 1);
        company.settle();
        here.stage.pass(Duration.ofMillis(1_999));
        assertThat(here.stage.releases).isEmpty();
        here.stage.pass(Duration.ofMillis(1));
        assertThat(here.stage.releases).containsExactly(former);
    }

    @Test
    void C19_a_command_that_arrives_before_the_claim_is_in_the_log_waits_for_the_promise_too() {
        ann.enter(DESK, "said before the claim, and read after its end");
        ann.update(DESK, BEATS);
        here.stage.grant(1);
        here.stage.stepDown(DESK, new SlotStepDown("", Duration.ofSeconds(1), "an order"));
        company.settle();
        here.stage.pass(Duration.ofMillis(1_999));
        assertThat(here.stage.releases).isEmpty();
        here.stage.pass(Duration.ofMillis(1));
        assertThat(here.stage.releases).hasSize(1);
    }

    @Test
    void C19_the_wait_for_a_leader_that_moved_to_another_node_ends_when_it_confirms_there() {
        Claimant former = leads(BEATS);
        ann.resumeAt(there.stage);
        company.settle();
        assertThat(watcher.received()).contains("PRESENCE desk update:ann'{\"role\":\"F\",\"ttl\":2000}'");
        assertThat(here.stage.releases).isEmpty();
        ann.update(DESK, "{\"role\":\"F\"}");
        assertThat(here.stage.releases).as("the log has not come so far").isEmpty();
        company.settle();
        assertThat(here.stage.releases).containsExactly(former);
    }

    @Test
    void C19_the_wait_for_a_silent_leader_that_moved_to_another_node_ends_with_its_promise() {
        Claimant former = leads(BEATS);
        ann.resumeAt(there.stage);
        company.settle();
        here.stage.pass(Duration.ofMillis(1_999));
        assertThat(here.stage.releases).isEmpty();
        here.stage.pass(Duration.ofMillis(1));
        assertThat(here.stage.releases).containsExactly(former);
    }

    @Test
    void C19_a_channel_is_forgotten_after_its_former_leader_has_left_it_at_another_node() {
        leads(BEATS);
        ann.resumeAt(there.stage);
        company.settle();
        ann.leave(DESK);
        company.settle();
        here.stage.pass(Duration.ofDays(2));
        assertThat(here.hub().channels()).isEmpty();
    }

    @Test
    void C3_a_channel_is_forgotten_after_the_connection_whose_claim_waited_there_went_on_elsewhere() {
        ann.enter("quiet", "leader");
        ann.resumeAt(there.stage);
        company.settle();
        assertThat(here.stage.releases).hasSize(1);
        here.stage.pass(SETTINGS.connectionStateTtl());
        assertThat(here.hub().channels()).isEmpty();
    }

    @Test
    void C19_a_claim_repeated_after_its_connection_went_on_elsewhere_is_kept_until_the_promise_is_over() {
        Claimant former = leads(BEATS);
        here.cut = true;
        ann.update(DESK, BEATS);
        ann.resumeAt(there.stage);
        company.settle();
        here.mend();
        assertThat(here.step()).as("the log declines the update").isTrue();
        assertThat(here.stage.releases).isEmpty();
        company.settle();
        here.stage.pass(Duration.ofMillis(1_999));
        assertThat(here.stage.releases).isEmpty();
        here.stage.pass(Duration.ofMillis(1));
        assertThat(here.stage.releases).containsExactly(former);
    }

    @Test
    void C3_a_claim_that_the_log_declines_is_refused_and_given_back() {
        ann.enter(DESK, "leader");
        here.cut = true;
        here.stage.grant(1);
        Claimant claimant = here.stage.claims.get(0);
        assertThat(here.hub().claims()).extracting(HeldClaim::claimant).containsExactly(claimant);
        Player again = there.stage.open(Map.of("key", Stage.KEY, "clientId", "ann", "resume", ann.key));
        company.settle();
        assertThat(again.connectionId).isEqualTo(ann.connectionId);
        here.mend();
        assertThat(here.step()).isTrue();
        assertThat(ann.received()).containsExactly("NACK #0 80003/400 another node has this connection now");
        assertThat(here.hub().claims()).isEmpty();
        assertThat(here.stage.releases).containsExactly(claimant);
        company.settle();
        here.stage.pass(SETTINGS.connectionStateTtl());
        assertThat(here.hub().channels()).isEmpty();
    }

    @Test
    void C19_a_node_that_has_lost_touch_keeps_the_lease_until_its_holders_promise_is_over() {
        Claimant former = leads(BEATS);
        here.stage.carry(here.stage.hub.outOfTouch(here.stage.now(), "Redis did not answer"));
        here.stage.pass(Duration.ofMillis(1_999));
        assertThat(here.stage.releases).isEmpty();
        here.stage.pass(Duration.ofMillis(1));
        assertThat(here.stage.releases).containsExactly(former);
    }

    @Test
    void C7_a_ping_is_not_answered_before_the_event_that_the_claim_has_ended() {
        leads(BEATS);
        here.stage.stepDown(DESK, new SlotStepDown("", Duration.ofSeconds(1), "an order"));
        ann.send(ping("early"));
        assertThat(ann.received()).isEmpty();
        company.settle();
        ann.send(ping("late"));
        assertThat(ann.received())
                .containsExactly("PRESENCE desk update:ann'{\"role\":\"F\",\"ttl\":2000}'", "HEARTBEAT late");
    }

    @Test
    void C7_a_ping_is_answered_while_a_claim_that_is_held_is_on_its_way_into_the_log() {
        ann.enter(DESK, BEATS);
        here.stage.grant(1);
        ann.send(ping("held"));
        assertThat(ann.received()).containsExactly("HEARTBEAT held");
    }

    @Test
    void C7_nor_while_the_log_contains_neither_the_claim_nor_its_end() {
        ann.enter(DESK, BEATS);
        here.stage.grant(1);
        here.stage.stepDown(DESK, new SlotStepDown("", Duration.ofSeconds(1), "an order"));
        ann.send(ping("early"));
        assertThat(ann.received()).isEmpty();
        company.settle();
        ann.send(ping("late"));
        assertThat(ann.received()).last().isEqualTo("HEARTBEAT late");
    }

    @Test
    void C7_nor_at_the_node_where_a_leader_goes_on() {
        leads(BEATS);
        ann.resumeAt(there.stage);
        while (!ann.open || ann.take().isEmpty()) {
            assertThat(there.step()).isTrue();
        }
        ann.send(ping("early"));
        assertThat(ann.received()).isEmpty();
        company.settle();
        ann.send(ping("late"));
        assertThat(ann.received()).last().isEqualTo("HEARTBEAT late");
    }

    private static ProtocolMessage ping(String id) {
        return ProtocolMessage.builder(Action.HEARTBEAT).id(id).build();
    }
}
