package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.channel.FormerHolders;
import dev.doyen.hub.settings.ChannelRule;
import dev.doyen.hub.settings.ChannelRules;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.SlotStepDown;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.PresenceAction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests that the hub rejects the messages of former leaders without fences (rules C11, C18 and C21). */
class ImplicitFencesTest {

    private static final String BOB_LEADS = "40911/409 \"bob\" leads \"x\" in term 2, not you; stop publishing as the"
            + " leader, and claim again, or update your presence data to publish other messages";
    private static final String NOBODY_LEADS = "40911/409 you do not lead \"x\"; stop publishing as the"
            + " leader, and claim again, or update your presence data to publish other messages";

    private final Stage stage = new Stage(HubSettings.builder()
            .channelRules(new ChannelRules(List.of(ChannelRule.of("held").fencedByHolder())))
            .build());
    private final Player ann = stage.connect("ann");
    private final Player bob = stage.connect("bob");
    private final Player watcher = stage.connect("watcher").attach("x");

    private void lead(Player player, long term) {
        player.enter("x", "leader");
        stage.grant(term);
        player.take();
        watcher.take();
    }

    /** Makes ann lead, cuts her off for longer than the grace time, and makes bob lead. */
    private void annIsCutOffAndBobLeads() {
        lead(ann, 1);
        ann.drop();
        stage.pass(Duration.ofSeconds(25));
        lead(bob, 2);
    }

    private void returns(Player player) {
        player.resume();
        player.take();
        watcher.take();
    }

    /** Sends the ENTER that an SDK sends by itself after it has attached again. */
    private static void entersAgain(Player player, String data, String id) {
        player.presence("x", Player.message(PresenceAction.ENTER, null, data).withId(id));
    }

    @Test
    void C21_a_leader_that_was_cut_off_publishes_nothing_after_it_has_returned() {
        annIsCutOffAndBobLeads();
        returns(ann);
        ann.publish("x", "queued");
        entersAgain(ann, "leader", ann.connectionId + ":0:0");
        ann.publish("x", "later");
        assertThat(ann.received())
                .startsWith("NACK #1 " + BOB_LEADS)
                .endsWith("NACK #3 " + BOB_LEADS)
                .hasSize(3);
        assertThat(watcher.received()).isEmpty();
        bob.publish("x", "1");
        assertThat(watcher.received()).containsExactly("MESSAGE x '1'");
    }

    @Test
    void C21_a_presence_frame_without_a_claim_ends_the_rejection() {
        for (PresenceAction action : List.of(PresenceAction.UPDATE, PresenceAction.ENTER, PresenceAction.LEAVE)) {
            Player carl = stage.connect("carl");
            carl.enter("y", "leader");
            stage.grant(1);
            carl.drop();
            stage.pass(Duration.ofSeconds(25));
            carl.resume();
            carl.publish("y", "rejected").presence("y", action, "I follow").publish("y", "accepted");
            assertThat(carl.received())
                    .anyMatch(line -> line.startsWith("NACK #1"))
                    .endsWith("ACK #3");
            carl.close();
        }
    }

    @Test
    void C21_a_granted_claim_ends_the_rejection() {
        lead(ann, 1);
        ann.drop();
        stage.pass(Duration.ofSeconds(25));
        returns(ann);
        ann.publish("x", "1");
        assertThat(ann.received()).containsExactly("NACK #1 " + NOBODY_LEADS);
        entersAgain(ann, "leader", ann.connectionId + ":0:0");
        stage.grant(2);
        ann.publish("x", "2");
        assertThat(ann.received()).endsWith("ACK #3");
    }

    @Test
    void C21_a_granted_claim_that_is_not_bare_also_ends_the_rejection() {
        lead(ann, 1);
        stage.lose(stage.claims.get(0), 1);
        ann.update("x", "{\"role\":\"L\"}");
        stage.grant(2);
        ann.publish("x", "chat");
        assertThat(ann.received()).endsWith("ACK #2");
    }

    @Test
    void C21_the_enter_of_an_sdk_without_a_claim_does_not_end_the_rejection() {
        lead(ann, 1);
        stage.lose(stage.claims.get(0), 1);
        ann.take();
        // The SDK has received the event that ended the claim. It sends the data and the id of this event.
        entersAgain(ann, "", "synth-1:0:0");
        ann.publish("x", "1");
        assertThat(ann.received()).endsWith("NACK #2 " + NOBODY_LEADS);
        // The SDK has not received the event of the granted claim. It sends the data and the id of the event before.
        entersAgain(ann, "here", ann.connectionId + ":0:0");
        ann.publish("x", "2");
        assertThat(ann.received()).endsWith("NACK #4 " + NOBODY_LEADS);
    }

    @Test
    void C21_every_other_end_of_a_bare_claim_counts() {
        lead(ann, 1);
        stage.lose(stage.claims.get(0), 1);
        assertIsRejected(ann);
        lead(ann, 2);
        stage.stepDown("x", new SlotStepDown("", Duration.ZERO, ""));
        assertIsRejected(ann);
        ann.attach("x");
        lead(ann, 3);
        ann.detach("x");
        assertIsRejected(ann);
    }

    private static void assertIsRejected(Player player) {
        player.take();
        player.publish("x", "late");
        assertThat(player.takeOnly().error().code()).isEqualTo(40911);
    }

    @Test
    void C21_a_leader_that_ends_its_claim_itself_is_an_ordinary_member() {
        lead(ann, 1);
        ann.update("x", "").publish("x", "1");
        assertThat(ann.received()).endsWith("ACK #2");
        lead(ann, 2);
        ann.leave("x").publish("x", "2");
        assertThat(ann.received()).endsWith("ACK #5");
    }

    @Test
    void C21_members_without_a_claim_publish_as_before() {
        lead(ann, 1);
        bob.publish("x", "of no member").update("x", "leader").publish("x", "after a rejected update");
        assertThat(bob.received())
                .satisfiesExactly(
                        first -> assertThat(first).isEqualTo("ACK #0"),
                        second -> assertThat(second).startsWith("NACK #1 40910"),
                        third -> assertThat(third).isEqualTo("ACK #2"));
        watcher.publish("x", "of another client");
        assertThat(watcher.received()).contains("ACK #0");
    }

    @Test
    void C21_a_former_leader_with_fences_can_still_publish_other_messages() {
        ann.enter("x", "{\"role\":\"L\",\"ttl\":2000}");
        stage.grant(1);
        stage.pass(Duration.ofSeconds(2));
        ann.take();
        ann.publish("x", "chat");
        assertThat(ann.received()).containsExactly("ACK #1");
    }

    @Test
    void C21_a_rejected_enter_with_a_claim_counts_because_an_sdk_may_have_sent_it() {
        lead(bob, 2);
        ann.publish("x", "1").enter("x", "leader").publish("x", "2");
        assertThat(ann.received()).startsWith("ACK #0").endsWith("NACK #2 " + BOB_LEADS);
        stage.pass(Duration.ofMinutes(10));
        ann.take();
        ann.publish("x", "3").update("x", "").publish("x", "4");
        assertThat(ann.received()).startsWith("NACK #3 " + BOB_LEADS).endsWith("ACK #5");
    }

    @Test
    void C21_an_enter_that_the_store_rejects_counts() {
        ann.enter("x", "leader");
        stage.refuse(stage.claims.get(0), Optional.empty());
        ann.take();
        ann.publish("x", "1");
        assertThat(ann.received()).containsExactly("NACK #1 " + NOBODY_LEADS);
    }

    @Test
    void C21_a_new_connection_continues_the_one_that_the_client_could_not_resume() {
        annIsCutOffAndBobLeads();
        stage.pass(Duration.ofMinutes(2));
        String former = ann.connectionId;
        ann.resume();
        assertThat(ann.connectionId).isNotEqualTo(former);
        ann.take();
        ann.publish("x", "queued");
        assertThat(ann.received()).containsExactly("NACK #0 " + BOB_LEADS);
        entersAgain(ann, "", null);
        // This connection is lost, too.
        ann.drop();
        stage.pass(Duration.ofMinutes(3));
        ann.resume();
        ann.take();
        ann.publish("x", "queued").update("x", "I follow").publish("x", "accepted");
        assertThat(ann.received()).startsWith("NACK #0 " + BOB_LEADS).endsWith("ACK #2");
    }

    @Test
    void C21_a_new_connection_without_a_resume_is_an_ordinary_client() {
        annIsCutOffAndBobLeads();
        Player reloaded = stage.connect("ann").publish("x", "1");
        assertThat(reloaded.received()).containsExactly("ACK #0");
    }

    @Test
    void C21_a_connection_of_several_clients_publishes_as_the_clients_that_did_not_lose() {
        Player any = stage.open(Map.of("key", Stage.KEY));
        any.presence("x", Player.message(PresenceAction.ENTER, "a", "leader"));
        stage.grant(1);
        stage.lose(stage.claims.get(0), 1);
        any.take();
        any.publish("x", message("1").withClientId("b"))
                .publish("x", message("2").withClientId("a"))
                .publish("x", "3");
        assertThat(any.received()).containsExactly("ACK #1", "NACK #2 " + NOBODY_LEADS, "NACK #3 " + NOBODY_LEADS);
    }

    @Test
    void C21_a_channel_stores_at_most_100_former_holders() {
        lead(bob, 2);
        ann.enter("x", "leader");
        for (int i = 1; i < FormerHolders.MAX; i++) {
            stage.connect("rival" + i).enter("x", "leader");
        }
        assertIsRejected(ann);
        Player last = stage.connect("last").enter("x", "leader");
        assertIsRejected(last);
        ann.publish("x", "forgotten");
        assertThat(ann.received()).containsExactly("ACK #2");
    }

    @Test
    void C11_on_a_channel_fenced_by_holder_only_the_holder_publishes_and_needs_no_fence() {
        ann.publish("held", "1").enter("held", "{\"role\":\"L\"}");
        stage.grant(7);
        ann.publish("held", "2").publish("held", Player.fenced("3", 7)).publish("held", Player.fenced("4", 6));
        bob.publish("held", "5");
        assertThat(ann.received())
                .startsWith("NACK #0 40911/409 channel \"held\" is fenced: only its leader publishes")
                .contains("ACK #2", "ACK #3")
                .endsWith("NACK #4 40911/409 fence 6 < 7: \"ann\" leads \"held\" in term 7");
        assertThat(bob.received())
                .containsExactly("NACK #0 40911/409 channel \"held\" is fenced: only its leader publishes");
    }

    @Test
    void C18_a_request_without_a_connection_publishes_only_on_channels_without_fences() {
        lead(ann, 1);
        var rest = new RestClient(stage);
        assertThat(rest.post("/channels/x/messages", "{\"name\":\"n\",\"data\":\"1\"}")
                        .status())
                .isEqualTo(201);
        assertThat(rest.post("/channels/held/messages", "{\"name\":\"n\",\"data\":\"1\"}")
                        .status())
                .isEqualTo(409);
    }

    @Test
    void C21_on_several_nodes_the_log_rejects_a_message_of_a_leader_whose_node_reads_the_end_late() {
        var cluster = new NodesInMemory(HubSettings.defaults());
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        Player carl = here.stage.connect("carl").enter("x", "leader");
        here.stage.grant(1);
        cluster.settle();
        carl.publish("x", "in time");
        cluster.settle();
        // The store has ended the lease of carl, and has not notified carl's node yet.
        there.stage.connect("dora").enter("x", "leader");
        there.stage.grant(2);
        carl.take();
        carl.publish("x", "late");
        cluster.settle();
        assertThat(carl.received()).contains("NACK #2 40911/409 your term has ended: leader/1 is held in term 2");
        carl.publish("x", "later");
        assertThat(carl.takeOnly().error().code()).isEqualTo(40911);
        assertThat(cluster.log).noneMatch(entry -> entry.text().contains("late"));
        assertThat(cluster.log).anyMatch(entry -> entry.text().contains("in time"));
    }

    @Test
    void C21_a_leader_that_resumes_at_another_node_publishes_nothing_until_it_leads_again() {
        var cluster = new NodesInMemory(HubSettings.defaults());
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        Player carl = here.stage.connect("carl").enter("x", "leader");
        here.stage.grant(1);
        cluster.settle();
        carl.take();
        carl.resumeAt(there.stage);
        there.step();
        // The node has the connection, and has not read the end of the claim from the log.
        carl.publish("x", "at once");
        cluster.settle();
        carl.publish("x", "later");
        assertThat(carl.received())
                .filteredOn(line -> line.startsWith("NACK"))
                .hasSize(2)
                .allMatch(line -> line.contains("40911/409 you do not lead"));
        carl.enter("x", "leader");
        there.stage.grant(2);
        cluster.settle();
        carl.publish("x", "as the leader again");
        cluster.settle();
        assertThat(carl.received()).endsWith("ACK #4");
    }

    @Test
    void C21_a_node_that_joins_later_receives_the_former_holders() {
        var cluster = new NodesInMemory(HubSettings.defaults());
        NodesInMemory.Node here = cluster.node();
        Player carl = here.stage.connect("carl").enter("x", "leader");
        here.stage.grant(1);
        cluster.settle();
        carl.drop();
        here.stage.pass(Duration.ofSeconds(25));
        cluster.settle();
        NodesInMemory.Node there = cluster.node();
        carl.resumeAt(there.stage);
        cluster.settle();
        carl.take();
        carl.publish("x", "queued");
        assertThat(carl.received()).containsExactly("NACK #1 " + NOBODY_LEADS);
    }

    private static Message message(String text) {
        return Message.of(null, Data.text(text));
    }
}
