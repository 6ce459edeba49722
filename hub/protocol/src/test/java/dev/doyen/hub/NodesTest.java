package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.Leader;
import dev.doyen.hub.channel.Change;
import dev.doyen.hub.channel.Channels;
import dev.doyen.hub.channel.Log;
import dev.doyen.hub.log.Declined;
import dev.doyen.hub.log.Logged;
import dev.doyen.hub.nodes.ChangeText;
import dev.doyen.hub.nodes.Changes;
import dev.doyen.hub.nodes.SharedLog;
import dev.doyen.hub.presence.MemberEvents;
import dev.doyen.hub.rest.RestRequest;
import dev.doyen.hub.settings.ChannelRule;
import dev.doyen.hub.settings.ChannelRules;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.step.HubEffect;
import dev.doyen.hub.step.NodeEffect;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.step.Timers;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.Flags;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.ProtocolMessage;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Tests a hub of two or three nodes with a log in memory. The class is long because it covers every guarantee to
 * clients.
 */
class NodesTest {

    private static final String TALK = "talk";

    private final NodesInMemory cluster = new NodesInMemory(HubSettings.defaults());

    @Test
    void messages_have_the_same_order_and_serials_on_all_nodes() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        Player ann = here.stage.connect("ann").attach(TALK);
        Player ben = there.stage.connect("ben").attach(TALK);
        ann.publish(TALK, "1");
        ben.publish(TALK, "2");
        ann.publish(TALK, "3");
        cluster.settle();
        List<ProtocolMessage> byAnn = messages(ann);
        List<ProtocolMessage> byBen = messages(ben);
        assertThat(texts(byAnn)).containsExactly("1", "2", "3");
        assertThat(byBen).isEqualTo(byAnn);
    }

    @Test
    void a_publish_is_acknowledged_with_its_serials_once_it_is_in_the_log() {
        NodesInMemory.Node here = cluster.node();
        Player ann = here.stage.connect("ann").attach(TALK);
        ann.take();
        ann.publish(TALK, "1");
        assertThat(ann.take()).isEmpty();
        cluster.settle();
        List<ProtocolMessage> received = ann.take();
        assertThat(received).extracting(ProtocolMessage::action).containsExactly(Action.MESSAGE, Action.ACK);
        assertThat(received.get(1).res().get(0).serials())
                .containsExactly(received.get(0).messages().get(0).serial());
    }

    @Test
    void members_of_one_node_are_present_on_the_others_until_they_leave() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        Player ann = here.stage.connect("ann");
        Player ben = there.stage.connect("ben").attach(TALK);
        ann.enter(TALK, "hello");
        cluster.settle();
        assertThat(present(there)).containsExactly("ann:hello");
        assertThat(ben.received()).anyMatch(line -> line.contains("enter:ann"));
        ann.update(TALK, "again");
        cluster.settle();
        assertThat(present(there)).containsExactly("ann:again");
        ann.close();
        cluster.settle();
        assertThat(present(there)).isEmpty();
        assertThat(present(here)).isEmpty();
    }

    @Test
    void a_member_closed_during_its_enter_does_not_remain() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        Player ann = here.stage.connect("ann");
        ann.enter(TALK, "hello");
        ann.close();
        cluster.settle();
        assertThat(present(here)).isEmpty();
        assertThat(present(there)).isEmpty();
    }

    @Test
    void a_client_resumes_at_another_node_without_lost_or_doubled_messages() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        Player ann = here.stage.connect("ann").attach(TALK);
        ann.enter(TALK, "hello");
        ann.publish(TALK, "1");
        cluster.settle();
        String last = last(messages(ann));
        String id = ann.connectionId;
        // Ann loses her socket before the ACK of this message arrives. So she sends the message again later.
        ProtocolMessage second = Player.messageFrame(TALK, ann.nextSerial++, Message.of(null, Data.text("2")));
        ann.send(second);
        ann.drop();
        ann.take();
        ann.resumeAt(there.stage);
        cluster.settle();
        assertThat(ann.connectionId).as("the connection has the same id").isEqualTo(id);
        ann.attachFrom(TALK, last);
        ann.send(second);
        ann.publish(TALK, "3");
        cluster.settle();
        List<ProtocolMessage> received = ann.take();
        assertThat(texts(received.stream()
                        .filter(frame -> frame.action() == Action.MESSAGE)
                        .toList()))
                .containsExactly("2", "3");
        assertThat(received.stream()
                        .filter(frame -> frame.action() == Action.ACK)
                        .map(ProtocolMessage::msgSerial))
                .containsExactly(second.msgSerial(), second.msgSerial() + 1);
        assertThat(serials(received, second.msgSerial()))
                .as("the other node sends the same answer")
                .containsExactly(serial(received, "2"));
        assertThat(received.stream().filter(frame -> frame.action() == Action.ATTACHED))
                .allMatch(frame -> (frame.flagBits() & Flags.RESUMED) != 0);
        assertThat(present(there)).containsExactly("ann:hello");
        here.stage.pass(Duration.ofMinutes(5));
        cluster.settle();
        assertThat(present(there))
                .as("the former node no longer changes the members")
                .containsExactly("ann:hello");
        ann.close();
        cluster.settle();
        assertThat(present(here)).isEmpty();
    }

    @Test
    void a_rejected_frame_is_rejected_with_the_same_reason_at_another_node() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        Player ann = here.stage.connect("ann");
        ProtocolMessage refused = Player.messageFrame(TALK, ann.nextSerial++, Player.fenced("x", 7));
        ann.send(refused);
        ann.publish(TALK, "fine");
        cluster.settle();
        ann.drop();
        ann.take();
        ann.resumeAt(there.stage);
        cluster.settle();
        ann.take();
        ann.send(refused);
        cluster.settle();
        assertThat(ann.takeOnly().error().code()).isEqualTo(40911);
    }

    @Test
    void the_former_node_closes_the_socket_of_a_migrated_connection() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        Player ann = here.stage.connect("ann");
        ann.resumeAt(there.stage);
        cluster.settle();
        assertThat(here.stage.effects)
                .anyMatch(effect -> effect instanceof HubEffect.Send send
                        && send.message().action() == Action.DISCONNECTED
                        && send.message().error().code() == 80003);
        assertThat(here.hub().counts().connections()).isZero();
        assertThat(there.hub().counts().connections()).isEqualTo(1);
    }

    @Test
    void a_pending_publish_of_a_migrated_connection_is_dropped() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        Player ann = here.stage.connect("ann");
        here.cut = true;
        ann.publish(TALK, "late");
        ann.resumeAt(there.stage);
        cluster.settle();
        here.mend();
        cluster.settle();
        assertThat(cluster.log).noneMatch(entry -> entry.text().contains("late"));
    }

    @Test
    void a_wrong_key_or_another_client_gets_a_new_connection_with_the_reason() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        Player ann = here.stage.connect("ann");
        cluster.settle();
        Player forger =
                there.stage.open(Map.of("key", Stage.KEY, "clientId", "ann", "resume", ann.connectionId + "!forged"));
        Player eve = there.stage.open(Map.of("key", Stage.KEY, "clientId", "eve", "resume", ann.key));
        cluster.settle();
        assertThat(forger.takeOnly().error().code()).isEqualTo(80018);
        assertThat(eve.takeOnly().error().code()).isEqualTo(80011);
        assertThat(here.hub().counts().connections()).isEqualTo(1);
    }

    @Test
    void members_of_an_evicted_node_leave_after_the_grace_unless_they_return() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        NodesInMemory.Node third = cluster.node();
        Player ann = here.stage.connect("ann");
        Player ben = here.stage.connect("ben");
        ann.enter(TALK, "a");
        ben.enter(TALK, "b");
        cluster.settle();
        here.kill();
        there.bury(here);
        cluster.settle();
        assertThat(present(third)).containsExactly("ann:a", "ben:b");
        there.stage.pass(Duration.ofSeconds(10));
        ben.resumeAt(third.stage);
        cluster.settle();
        there.stage.pass(Duration.ofSeconds(10));
        third.stage.pass(Duration.ofSeconds(20));
        cluster.settle();
        assertThat(present(there)).containsExactly("ben:b");
        assertThat(present(third)).containsExactly("ben:b");
    }

    @Test
    void the_duties_of_an_evicted_node_belong_to_the_evicting_node() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        NodesInMemory.Node third = cluster.node();
        Player ann = here.stage.connect("ann");
        ann.enter(TALK, "a");
        cluster.settle();
        here.kill();
        there.bury(here);
        cluster.settle();
        there.kill();
        third.bury(there);
        cluster.settle();
        third.stage.pass(Duration.ofSeconds(16));
        cluster.settle();
        assertThat(present(third)).isEmpty();
    }

    @Test
    void the_claim_of_a_node_ends_with_its_eviction() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        Player ann = here.stage.connect("ann");
        Player ben = there.stage.connect("ben").attach(TALK);
        ann.enter(TALK, "leader");
        here.stage.grant(1);
        cluster.settle();
        assertThat(ben.received()).anyMatch(line -> line.contains("ann") && line.contains("leader"));
        here.kill();
        there.bury(here);
        cluster.settle();
        assertThat(present(there)).containsExactly("ann:");
        ben.enter(TALK, "leader");
        there.stage.grant(2);
        cluster.settle();
        assertThat(present(there)).containsExactly("ann:", "ben:leader");
    }

    @Test
    void a_publish_with_an_old_term_is_rejected_by_the_log() {
        var rules = new ChannelRules(List.of(ChannelRule.of(TALK).fenced()));
        var fenced = new NodesInMemory(HubSettings.builder().channelRules(rules).build());
        NodesInMemory.Node here = fenced.node();
        NodesInMemory.Node there = fenced.node();
        Player ann = here.stage.connect("ann");
        Player ben = there.stage.connect("ben");
        ann.enter(TALK, "leader");
        here.stage.grant(1);
        fenced.settle();
        ann.publish(TALK, Player.fenced("first", 1));
        fenced.settle();
        // The store has ended ann's lease, and has not notified her node yet.
        ben.enter(TALK, "leader");
        there.stage.grant(2);
        fenced.settle();
        ann.take();
        ann.publish(TALK, Player.fenced("late", 1));
        fenced.settle();
        assertThat(ann.take())
                .anyMatch(
                        frame -> frame.action() == Action.NACK && frame.error().code() == 40911);
        assertThat(fenced.log).noneMatch(entry -> entry.text().contains("late"));
    }

    @Test
    void a_migrated_leader_does_not_lead_until_it_claims_again() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        Player ann = here.stage.connect("ann");
        ann.enter(TALK, "leader");
        here.stage.grant(1);
        cluster.settle();
        ann.resumeAt(there.stage);
        cluster.settle();
        assertThat(here.stage.releases).hasSize(1);
        assertThat(present(there)).containsExactly("ann:");
        ann.update(TALK, "leader");
        there.stage.grant(2);
        cluster.settle();
        assertThat(present(here)).containsExactly("ann:leader");
    }

    @Test
    void a_client_that_resumes_at_a_disconnected_node_is_rejected() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        Player ann = here.stage.connect("ann");
        there.cut = true;
        ann.resumeAt(there.stage);
        assertThat(ann.take()).isEmpty();
        there.stage.carry(there.stage.hub.outOfTouch(there.stage.now(), "Redis did not answer"));
        assertThat(ann.takeOnly().action()).isEqualTo(Action.DISCONNECTED);
        assertThat(ann.open).isFalse();
        long number = there.stage.effects.stream()
                .filter(NodeEffect.TakeOver.class::isInstance)
                .mapToLong(effect -> ((NodeEffect.TakeOver) effect).number())
                .findFirst()
                .orElseThrow();
        there.stage.carry(there.hub().declined(there.stage.now(), number, new Declined.Unknown()));
        assertThat(ann.take()).as("the client no longer has a socket").isEmpty();
    }

    @Test
    void a_loss_during_a_pending_claim_ends_the_claim() {
        NodesInMemory.Node here = cluster.node();
        Player ann = here.stage.connect("ann");
        ann.enter(TALK, "leader");
        Claimant claimant = here.stage.claims.get(0);
        here.stage.grant(claimant, 1);
        here.stage.lose(claimant, 1);
        cluster.settle();
        assertThat(present(here)).containsExactly("ann:");
    }

    @Test
    void a_pending_frame_before_the_claim_does_not_end_it() {
        NodesInMemory.Node here = cluster.node();
        Player ann = here.stage.connect("ann");
        ann.enter(TALK, "plain");
        ann.update(TALK, "leader");
        here.stage.grant(1);
        cluster.settle();
        assertThat(here.stage.releases).isEmpty();
        assertThat(present(here)).containsExactly("ann:leader");
        ann.update(TALK, "plain");
        cluster.settle();
        assertThat(here.stage.releases).hasSize(1);
    }

    @Test
    void a_node_that_joins_late_has_members_and_messages() {
        NodesInMemory.Node here = cluster.node();
        Player ann = here.stage.connect("ann").attach(TALK);
        ann.enter(TALK, "hello");
        ann.publish(TALK, "1");
        cluster.settle();
        String first = last(messages(ann));
        ann.publish(TALK, "2");
        cluster.settle();
        NodesInMemory.Node late = cluster.node();
        assertThat(present(late)).containsExactly("ann:hello");
        Player ben = late.stage.connect("ben").attachFrom(TALK, first);
        cluster.settle();
        assertThat(texts(messages(ben))).containsExactly("2");
        ann.close();
        cluster.settle();
        assertThat(present(late)).isEmpty();
    }

    @Test
    void a_disconnected_node_rejects_clients_until_it_rejoins() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        Player ann = here.stage.connect("ann").attach(TALK);
        ann.enter(TALK, "leader");
        here.stage.grant(1);
        cluster.settle();
        ann.take();
        here.kill();
        here.stage.carry(here.hub().outOfTouch(here.stage.now(), "cut off"));
        assertThat(ann.takeOnly().action()).isEqualTo(Action.DISCONNECTED);
        assertThat(ann.open).isFalse();
        assertThat(here.stage.releases).hasSize(1);
        Player ben = here.stage.open(Map.of("key", Stage.KEY, "clientId", "ben"));
        assertThat(ben.takeOnly().action()).isEqualTo(Action.DISCONNECTED);
        there.bury(here);
        cluster.settle();
        here.join();
        cluster.settle();
        assertThat(present(here)).containsExactly("ann:");
        ann.resumeAt(here.stage);
        cluster.settle();
        assertThat(ann.take()).extracting(ProtocolMessage::action).contains(Action.CONNECTED);
        assertThat(ann.open).isTrue();
        there.stage.pass(Duration.ofSeconds(20));
        cluster.settle();
        assertThat(present(there)).containsExactly("ann:");
    }

    @Test
    void messages_with_ids_are_published_once_over_all_nodes() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        Player ann = here.stage.connect("ann").attach(TALK);
        Player ben = there.stage.connect("ben");
        Message message = Message.of(null, Data.text("once")).withId("mine");
        ann.publish(TALK, message);
        ben.publish(TALK, message);
        cluster.settle();
        List<ProtocolMessage> received = messages(ann);
        assertThat(texts(received)).containsExactly("once");
        assertThat(serials(ben.take(), 0)).containsExactly(serial(received, "once"));
    }

    @Test
    void messages_partly_published_at_another_node_are_rejected() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        Player ben = there.stage.connect("ben");
        Message first = Message.of(null, Data.text("1")).withId("first");
        here.stage.connect("ann").publish(TALK, first);
        ben.publish(TALK, first, Message.of(null, Data.text("2")).withId("second"));
        cluster.settle();
        assertThat(ben.takeOnly().error().message())
                .isEqualTo("some of the messages were published before; repeat all of them unchanged, or use new ids");
        assertThat(new RestClient(here.stage)
                        .get("/channels/" + TALK + "/messages")
                        .each("data"))
                .containsExactly("1");
    }

    @Test
    void a_node_is_settled_without_own_pending_changes() {
        NodesInMemory.Node here = cluster.node();
        Player ann = here.stage.connect("ann");
        assertThat(here.hub().isSettled()).isTrue();
        ann.publish(TALK, "1");
        assertThat(here.hub().isSettled()).isFalse();
        cluster.settle();
        assertThat(here.hub().isSettled()).isTrue();
    }

    @Test
    void a_channel_with_a_pending_change_is_not_removed_for_others() {
        var small = new NodesInMemory(HubSettings.builder().maxChannels(1).build());
        NodesInMemory.Node here = small.node();
        Player ann = here.stage.connect("ann").publish(TALK, "1").attach("other");
        assertThat(ann.takeOnly().error().code()).isEqualTo(50003);
        small.settle();
        ann.take();
        ann.attach("other");
        assertThat(ann.takeOnly().action()).isEqualTo(Action.ATTACHED);
    }

    @Test
    void a_presence_frame_repeated_at_another_node_is_applied_once() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        Player ann = here.stage.connect("ann");
        ProtocolMessage frame =
                Player.presenceFrame(TALK, ann.nextSerial++, Player.message(PresenceAction.ENTER, null, "a"));
        ann.send(frame);
        cluster.settle();
        ann.resumeAt(there.stage);
        cluster.settle();
        ann.take();
        ann.send(frame);
        cluster.settle();
        assertThat(ann.received()).containsExactly("ACK #0");
        assertThat(new RestClient(here.stage)
                        .get("/channels/" + TALK + "/presence/history")
                        .tree())
                .hasSize(1);
    }

    @Test
    void requests_at_a_disconnected_node_are_rejected() {
        NodesInMemory.Node here = cluster.node();
        var headers = Map.of("Authorization", "Basic " + RestClient.base64(Stage.KEY));
        var request = RestRequest.of(
                "POST",
                "/channels/" + TALK + "/messages",
                headers,
                "{\"data\":\"1\"}".getBytes(StandardCharsets.UTF_8));
        here.stage.carry(here.hub().requested(here.stage.now(), 77, request, "separate-entropy-of-a-request"));
        assertThat(here.stage.effects).noneMatch(HubEffect.Answer.class::isInstance);
        here.stage.carry(here.hub().outOfTouch(here.stage.now(), "cut off"));
        assertThat(here.stage.effects)
                .filteredOn(HubEffect.Answer.class::isInstance)
                .singleElement()
                .matches(effect -> ((HubEffect.Answer) effect).requestId() == 77
                        && ((HubEffect.Answer) effect).answer().status() == 503);
        assertThat(here.hub().isSettled()).isTrue();
        assertThat(here.stage.request(request).status()).isEqualTo(503);
        assertThat(cluster.log).as("the request can still be carried out").hasSize(2);
    }

    @Test
    void an_evicted_node_disconnects_its_clients_when_it_reads_the_eviction() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        Player ann = here.stage.connect("ann");
        there.bury(here);
        Logged evicted = cluster.log.get(cluster.log.size() - 1);
        here.stage.carry(here.hub().logged(here.stage.now(), List.of(evicted)));
        assertThat(ann.takeOnly().error().message()).isEqualTo("the other nodes have removed this node; reconnect");
        assertThat(ann.open).isFalse();
        assertThat(new RestClient(here.stage).get("/channels").status()).isEqualTo(503);
    }

    @Test
    void a_client_lost_during_its_resume_has_its_grace_at_the_new_node() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        Player ann = here.stage.connect("ann").enter(TALK, "a");
        cluster.settle();
        ann.take();
        there.cut = true;
        ann.resumeAt(there.stage).drop();
        there.mend();
        cluster.settle();
        assertThat(ann.take()).isEmpty();
        assertThat(there.hub().counts().connections()).isEqualTo(1);
        assertThat(present(here)).containsExactly("ann:a");
        there.stage.pass(Duration.ofSeconds(16));
        cluster.settle();
        assertThat(present(here)).isEmpty();
    }

    @Test
    void an_evicting_node_waits_only_for_present_members() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        here.stage.connect("ann").publish(TALK, "1");
        cluster.settle();
        here.kill();
        there.bury(here);
        cluster.settle();
        assertWaitsForNobody(there);
    }

    @Test
    void a_node_stops_waiting_for_migrated_members_and_when_it_is_disconnected() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        NodesInMemory.Node third = cluster.node();
        Player ann = here.stage.connect("ann").enter(TALK, "a");
        cluster.settle();
        here.kill();
        there.bury(here);
        cluster.settle();
        ann.resumeAt(third.stage);
        cluster.settle();
        assertWaitsForNobody(there);
        third.kill();
        there.bury(third);
        cluster.settle();
        there.stage.carry(there.hub().outOfTouch(there.stage.now(), "cut off"));
        assertWaitsForNobody(there);
    }

    /** Checks that the node has no timer for other nodes' connections. The node must have no members. */
    private static void assertWaitsForNobody(NodesInMemory.Node node) {
        long next = node.hub().nextWakeNanos().orElseThrow() - node.stage.now().nanos();
        assertThat(next).isGreaterThan(HubSettings.defaults().remainPresentFor().toNanos());
    }

    @Test
    void a_closed_connection_is_resumed_at_no_node() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        Player ann = here.stage.connect("ann").close();
        ann.take();
        ann.resumeAt(there.stage);
        cluster.settle();
        assertThat(ann.takeOnly().error().code()).isEqualTo(80018);
    }

    @Test
    void a_change_is_rejected_without_a_log() {
        var timers = new Timers();
        var channels = new Channels(HubSettings.defaults(), timers);
        var changes = new Changes(channels, new MemberEvents(timers, channels));
        var log = new SharedLog(changes, channels, new ChangeText(HubSettings.defaults()));
        var step = new StepContext(new Stage().now());
        var published = new Change.Published(channels.ensure(step, TALK), null, null, "id", List.of(), List.of());
        var refusals = new ArrayList<ErrorInfo>();
        log.append(step, published, new Log.Outcome() {
            @Override
            public void done(StepContext later, List<Message> messages) {
                throw new AssertionError("the change must be rejected");
            }

            @Override
            public void refused(StepContext later, ErrorInfo why) {
                refusals.add(why);
            }
        });
        assertThat(refusals).containsExactly(Log.OUT_OF_TOUCH);
        assertThat(step.effects()).isEmpty();
    }

    @Test
    void two_events_of_one_entry_are_read_in_order() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        here.stage.connect("ann").enter(TALK, "leader");
        here.stage.grant(1);
        cluster.settle();
        // The store has ended ann's lease. The entry with ben's claim also ends ann's claim.
        there.stage.connect("ben").enter(TALK, "leader");
        there.stage.grant(2);
        cluster.settle();
        var client = new RestClient(here.stage);
        String history = "/channels/" + TALK + "/presence/history";
        assertThat(client.pages(history + "?limit=1", "clientId")).containsExactly("ben", "ann", "ann");
        assertThat(client.pages(history + "?limit=1&direction=forwards", "clientId"))
                .containsExactly("ann", "ann", "ben");
    }

    @Test
    void a_late_attachment_continues_at_a_node_with_an_older_channel() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        Player ann = here.stage.connect("ann").attach(TALK);
        ann.publish("other", "1");
        cluster.settle();
        Player ben = there.stage.connect("ben").attach(TALK);
        String serial = ben.takeOnly().channelSerial();
        ben.drop();
        ben.resumeAt(here.stage);
        cluster.settle();
        ben.take();
        ben.attachFrom(TALK, serial);
        assertThat(ben.takeOnly().flagBits() & Flags.RESUMED).isNotZero();
    }

    @Test
    void a_claim_on_a_lease_of_a_former_claimant_is_repeated() {
        NodesInMemory.Node here = cluster.node();
        here.stage.connect("eve").enter(TALK, "claims nothing");
        cluster.settle();
        Player ann = here.stage.connect("ann");
        ann.enter(TALK, "leader");
        Claimant claimant = here.stage.claims.get(0);
        here.stage.refuse(claimant, Optional.of(new Leader("gone", 7)));
        cluster.settle();
        assertThat(ann.take()).isEmpty();
        here.stage.connect("ben").enter(TALK, "leader");
        here.stage.pass(Duration.ofMillis(49));
        assertThat(here.stage.claims).containsExactly(claimant);
        here.stage.pass(Duration.ofMillis(1));
        assertThat(here.stage.claims).containsExactly(claimant, claimant);
        here.stage.grant(8);
        cluster.settle();
        assertThat(ann.take()).anyMatch(frame -> frame.action() == Action.ACK);
    }

    @Test
    void a_claim_on_a_lease_of_a_leader_on_another_node_is_rejected() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        here.stage.connect("ann").enter(TALK, "leader");
        here.stage.grant(7);
        cluster.settle();
        Player ben = there.stage.connect("ben");
        ben.enter(TALK, "leader");
        there.stage.refuse(there.stage.claims.get(0), Optional.of(new Leader("ann", 7)));
        cluster.settle();
        assertThat(ben.takeOnly().error().message()).contains("held by \"ann\" in term 7");
    }

    @Test
    void a_node_that_joins_late_has_the_presence_history() {
        NodesInMemory.Node here = cluster.node();
        Player ann = here.stage.connect("ann");
        ann.enter(TALK, "1");
        ann.update(TALK, "2");
        ann.leave(TALK);
        cluster.settle();
        NodesInMemory.Node late = cluster.node();
        String history = "/channels/" + TALK + "/presence/history";
        assertThat(new RestClient(late.stage).get(history).tree())
                .hasSize(3)
                .isEqualTo(new RestClient(here.stage).get(history).tree());
    }

    @Test
    void a_token_revoked_at_one_node_is_rejected_at_all_nodes() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        String token = new RestClient(here.stage)
                .post("/keys/app.key/requestToken", "{\"clientId\":\"ann\"}")
                .tree()
                .path("token")
                .asText();
        Player ann = there.stage.open(Map.of("access_token", token));
        assertThat(ann.takeOnly().action()).isEqualTo(Action.CONNECTED);
        new RestClient(here.stage).post("/keys/app.key/revokeTokens", "{\"targets\":[\"clientId:ann\"]}");
        cluster.settle();
        assertThat(ann.takeOnly().error().code()).isEqualTo(40141);
        NodesInMemory.Node late = cluster.node();
        assertThat(late.stage
                        .open(Map.of("access_token", token))
                        .takeOnly()
                        .error()
                        .code())
                .isEqualTo(40141);
    }

    @Test
    void events_of_a_claim_are_sent_at_once_in_order_on_all_nodes() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        Player ben = there.stage.connect("ben").attach(TALK);
        ben.take();
        for (int i = 0; i < 20; i++) {
            here.stage.connect("c" + i).enter(TALK, "many");
        }
        Player ann = here.stage.connect("ann");
        ann.enter(TALK, "leader");
        here.stage.grant(1);
        cluster.settle();
        List<String> entered = ben.take().stream()
                .flatMap(frame -> frame.presence().stream())
                .map(PresenceMessage::clientId)
                .toList();
        assertThat(entered).hasSize(21).endsWith("c19", "ann");
    }

    private static List<ProtocolMessage> messages(Player player) {
        return player.take().stream()
                .filter(frame -> frame.action() == Action.MESSAGE)
                .toList();
    }

    private static List<String> texts(List<ProtocolMessage> frames) {
        return frames.stream()
                .flatMap(frame -> frame.messages().stream())
                .map(message -> ((Data.Text) message.data()).text())
                .toList();
    }

    /** Returns the serials in the ACK of the frame with this msgSerial. */
    private static List<String> serials(List<ProtocolMessage> frames, long msgSerial) {
        return frames.stream()
                .filter(frame -> frame.action() == Action.ACK && frame.msgSerial() == msgSerial)
                .flatMap(frame -> frame.res().get(0).serials().stream())
                .toList();
    }

    /** Returns the serial of the message with this text. */
    private static String serial(List<ProtocolMessage> frames, String text) {
        return frames.stream()
                .filter(frame -> frame.action() == Action.MESSAGE)
                .flatMap(frame -> frame.messages().stream())
                .filter(message -> message.data().equals(Data.text(text)))
                .map(Message::serial)
                .findFirst()
                .orElseThrow();
    }

    private static String last(List<ProtocolMessage> frames) {
        return frames.get(frames.size() - 1).channelSerial();
    }

    /** Returns the members of the channel in the state of this node. */
    private static Set<String> present(NodesInMemory.Node node) {
        return node.present(TALK);
    }
}
