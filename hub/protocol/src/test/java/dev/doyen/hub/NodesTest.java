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

/** Two and three nodes of one hub, with a log in memory. Long because it covers every guarantee to clients. */
class NodesTest {

    private static final String TALK = "talk";

    private final NodesInMemory company = new NodesInMemory(HubSettings.defaults());

    @Test
    void what_is_published_on_one_node_is_heard_on_all_in_the_same_order_with_the_same_serials() {
        NodesInMemory.Node here = company.node();
        NodesInMemory.Node there = company.node();
        Player ann = here.stage.connect("ann").attach(TALK);
        Player ben = there.stage.connect("ben").attach(TALK);
        ann.publish(TALK, "1");
        ben.publish(TALK, "2");
        ann.publish(TALK, "3");
        company.settle();
        List<ProtocolMessage> byAnn = messages(ann);
        List<ProtocolMessage> byBen = messages(ben);
        assertThat(texts(byAnn)).containsExactly("1", "2", "3");
        assertThat(byBen).isEqualTo(byAnn);
    }

    @Test
    void a_publish_is_acknowledged_with_its_serials_once_it_is_in_the_log() {
        NodesInMemory.Node here = company.node();
        Player ann = here.stage.connect("ann").attach(TALK);
        ann.take();
        ann.publish(TALK, "1");
        assertThat(ann.take()).isEmpty();
        company.settle();
        List<ProtocolMessage> heard = ann.take();
        assertThat(heard).extracting(ProtocolMessage::action).containsExactly(Action.MESSAGE, Action.ACK);
        assertThat(heard.get(1).res().get(0).serials())
                .containsExactly(heard.get(0).messages().get(0).serial());
    }

    @Test
    void members_of_one_node_are_present_on_the_others_and_leave_them() {
        NodesInMemory.Node here = company.node();
        NodesInMemory.Node there = company.node();
        Player ann = here.stage.connect("ann");
        Player ben = there.stage.connect("ben").attach(TALK);
        ann.enter(TALK, "hello");
        company.settle();
        assertThat(present(there)).containsExactly("ann:hello");
        assertThat(ben.heard()).anyMatch(line -> line.contains("enter:ann"));
        ann.update(TALK, "again");
        company.settle();
        assertThat(present(there)).containsExactly("ann:again");
        ann.close();
        company.settle();
        assertThat(present(there)).isEmpty();
        assertThat(present(here)).isEmpty();
    }

    @Test
    void one_that_is_closed_while_its_enter_is_underway_is_not_left_behind() {
        NodesInMemory.Node here = company.node();
        NodesInMemory.Node there = company.node();
        Player ann = here.stage.connect("ann");
        ann.enter(TALK, "hello");
        ann.close();
        company.settle();
        assertThat(present(here)).isEmpty();
        assertThat(present(there)).isEmpty();
    }

    @Test
    void a_client_resumes_at_another_node_with_nothing_lost_or_doubled() {
        NodesInMemory.Node here = company.node();
        NodesInMemory.Node there = company.node();
        Player ann = here.stage.connect("ann").attach(TALK);
        ann.enter(TALK, "hello");
        ann.publish(TALK, "1");
        company.settle();
        String last = last(messages(ann));
        String id = ann.connectionId;
        // The answer never arrives, because the socket is lost meanwhile.
        ProtocolMessage second = Player.messageFrame(TALK, ann.nextSerial++, Message.of(null, Data.text("2")));
        ann.send(second);
        ann.drop();
        ann.take();
        ann.resumeAt(there.stage);
        company.settle();
        assertThat(ann.connectionId).as("the same connection").isEqualTo(id);
        ann.attachFrom(TALK, last);
        ann.send(second);
        ann.publish(TALK, "3");
        company.settle();
        List<ProtocolMessage> heard = ann.take();
        assertThat(texts(heard.stream()
                        .filter(frame -> frame.action() == Action.MESSAGE)
                        .toList()))
                .containsExactly("2", "3");
        assertThat(heard.stream().filter(frame -> frame.action() == Action.ACK).map(ProtocolMessage::msgSerial))
                .containsExactly(second.msgSerial(), second.msgSerial() + 1);
        assertThat(serials(heard, second.msgSerial()))
                .as("the answer that another node gives")
                .containsExactly(serial(heard, "2"));
        assertThat(heard.stream().filter(frame -> frame.action() == Action.ATTACHED))
                .allMatch(frame -> (frame.flagBits() & Flags.RESUMED) != 0);
        assertThat(present(there)).containsExactly("ann:hello");
        here.stage.pass(Duration.ofMinutes(5));
        company.settle();
        assertThat(present(there)).as("the node before has no more say").containsExactly("ann:hello");
        ann.close();
        company.settle();
        assertThat(present(here)).isEmpty();
    }

    @Test
    void a_frame_that_was_refused_is_refused_for_the_same_reason_at_another_node() {
        NodesInMemory.Node here = company.node();
        NodesInMemory.Node there = company.node();
        Player ann = here.stage.connect("ann");
        ProtocolMessage refused = Player.messageFrame(TALK, ann.nextSerial++, Player.fenced("x", 7));
        ann.send(refused);
        ann.publish(TALK, "fine");
        company.settle();
        ann.drop();
        ann.take();
        ann.resumeAt(there.stage);
        company.settle();
        ann.take();
        ann.send(refused);
        company.settle();
        assertThat(ann.takeOnly().error().code()).isEqualTo(40911);
    }

    @Test
    void the_node_before_closes_the_socket_of_a_connection_that_went_on_elsewhere() {
        NodesInMemory.Node here = company.node();
        NodesInMemory.Node there = company.node();
        Player ann = here.stage.connect("ann");
        ann.resumeAt(there.stage);
        company.settle();
        assertThat(here.stage.effects)
                .anyMatch(effect -> effect instanceof HubEffect.Send send
                        && send.message().action() == Action.DISCONNECTED
                        && send.message().error().code() == 80003);
        assertThat(here.hub().connections()).isZero();
        assertThat(there.hub().connections()).isEqualTo(1);
    }

    @Test
    void a_publish_that_was_underway_when_its_connection_went_on_elsewhere_is_not_made() {
        NodesInMemory.Node here = company.node();
        NodesInMemory.Node there = company.node();
        Player ann = here.stage.connect("ann");
        here.cut = true;
        ann.publish(TALK, "late");
        ann.resumeAt(there.stage);
        company.settle();
        here.mend();
        company.settle();
        assertThat(company.log).noneMatch(entry -> entry.text().contains("late"));
    }

    @Test
    void a_wrong_key_or_another_client_gives_a_new_connection_with_the_reason() {
        NodesInMemory.Node here = company.node();
        NodesInMemory.Node there = company.node();
        Player ann = here.stage.connect("ann");
        company.settle();
        Player forger =
                there.stage.open(Map.of("key", Stage.KEY, "clientId", "ann", "resume", ann.connectionId + "!forged"));
        Player eve = there.stage.open(Map.of("key", Stage.KEY, "clientId", "eve", "resume", ann.key));
        company.settle();
        assertThat(forger.takeOnly().error().code()).isEqualTo(80018);
        assertThat(eve.takeOnly().error().code()).isEqualTo(80011);
        assertThat(here.hub().connections()).isEqualTo(1);
    }

    @Test
    void members_of_a_dead_node_leave_after_the_grace_and_stay_if_they_come_back_before() {
        NodesInMemory.Node here = company.node();
        NodesInMemory.Node there = company.node();
        NodesInMemory.Node third = company.node();
        Player ann = here.stage.connect("ann");
        Player ben = here.stage.connect("ben");
        ann.enter(TALK, "a");
        ben.enter(TALK, "b");
        company.settle();
        here.kill();
        there.bury(here);
        company.settle();
        assertThat(present(third)).containsExactly("ann:a", "ben:b");
        there.stage.pass(Duration.ofSeconds(10));
        ben.resumeAt(third.stage);
        company.settle();
        there.stage.pass(Duration.ofSeconds(10));
        third.stage.pass(Duration.ofSeconds(20));
        company.settle();
        assertThat(present(there)).containsExactly("ben:b");
        assertThat(present(third)).containsExactly("ben:b");
    }

    @Test
    void what_a_dead_node_had_to_see_to_falls_to_the_one_that_buries_it() {
        NodesInMemory.Node here = company.node();
        NodesInMemory.Node there = company.node();
        NodesInMemory.Node third = company.node();
        Player ann = here.stage.connect("ann");
        ann.enter(TALK, "a");
        company.settle();
        here.kill();
        there.bury(here);
        company.settle();
        there.kill();
        third.bury(there);
        company.settle();
        third.stage.pass(Duration.ofSeconds(16));
        company.settle();
        assertThat(present(third)).isEmpty();
    }

    @Test
    void the_claim_of_a_dead_node_ends_when_it_is_evicted_and_another_node_grants_the_next() {
        NodesInMemory.Node here = company.node();
        NodesInMemory.Node there = company.node();
        Player ann = here.stage.connect("ann");
        Player ben = there.stage.connect("ben").attach(TALK);
        ann.enter(TALK, "leader");
        here.stage.grant(1);
        company.settle();
        assertThat(ben.heard()).anyMatch(line -> line.contains("ann") && line.contains("leader"));
        here.kill();
        there.bury(here);
        company.settle();
        assertThat(present(there)).containsExactly("ann:");
        ben.enter(TALK, "leader");
        there.stage.grant(2);
        company.settle();
        assertThat(present(there)).containsExactly("ann:", "ben:leader");
    }

    @Test
    void a_publish_under_a_term_that_another_node_has_passed_is_refused_by_the_log() {
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
        // The store has taken the lease away, and this node has not been informed yet.
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
    void a_leader_that_goes_on_elsewhere_leads_no_more_until_it_claims_again() {
        NodesInMemory.Node here = company.node();
        NodesInMemory.Node there = company.node();
        Player ann = here.stage.connect("ann");
        ann.enter(TALK, "leader");
        here.stage.grant(1);
        company.settle();
        ann.resumeAt(there.stage);
        company.settle();
        assertThat(here.stage.releases).hasSize(1);
        assertThat(present(there)).containsExactly("ann:");
        ann.update(TALK, "leader");
        there.stage.grant(2);
        company.settle();
        assertThat(present(here)).containsExactly("ann:leader");
    }

    @Test
    void who_asks_for_its_connection_at_a_node_that_loses_touch_is_sent_away() {
        NodesInMemory.Node here = company.node();
        NodesInMemory.Node there = company.node();
        Player ann = here.stage.connect("ann");
        there.cut = true;
        ann.resumeAt(there.stage);
        assertThat(ann.take()).isEmpty();
        there.stage.carry(there.stage.hub.outOfTouch(there.stage.now(), "Redis was not heard of"));
        assertThat(ann.takeOnly().action()).isEqualTo(Action.DISCONNECTED);
        assertThat(ann.open).isFalse();
        long number = there.stage.effects.stream()
                .filter(NodeEffect.TakeOver.class::isInstance)
                .mapToLong(effect -> ((NodeEffect.TakeOver) effect).number())
                .findFirst()
                .orElseThrow();
        there.stage.carry(there.hub().declined(there.stage.now(), number, new Declined.Unknown()));
        assertThat(ann.take()).as("it has no socket any more").isEmpty();
    }

    @Test
    void a_loss_that_comes_while_the_claim_is_still_underway_ends_it() {
        NodesInMemory.Node here = company.node();
        Player ann = here.stage.connect("ann");
        ann.enter(TALK, "leader");
        Claimant claimant = here.stage.claims.get(0);
        here.stage.grant(claimant, 1);
        here.stage.lose(claimant, 1);
        company.settle();
        assertThat(present(here)).containsExactly("ann:");
    }

    @Test
    void a_plain_frame_underway_before_the_claim_does_not_end_it() {
        NodesInMemory.Node here = company.node();
        Player ann = here.stage.connect("ann");
        ann.enter(TALK, "plain");
        ann.update(TALK, "leader");
        here.stage.grant(1);
        company.settle();
        assertThat(here.stage.releases).isEmpty();
        assertThat(present(here)).containsExactly("ann:leader");
        ann.update(TALK, "plain");
        company.settle();
        assertThat(here.stage.releases).hasSize(1);
    }

    @Test
    void a_node_that_joins_late_knows_who_is_present_and_what_was_said() {
        NodesInMemory.Node here = company.node();
        Player ann = here.stage.connect("ann").attach(TALK);
        ann.enter(TALK, "hello");
        ann.publish(TALK, "1");
        company.settle();
        String first = last(messages(ann));
        ann.publish(TALK, "2");
        company.settle();
        NodesInMemory.Node late = company.node();
        assertThat(present(late)).containsExactly("ann:hello");
        Player ben = late.stage.connect("ben").attachFrom(TALK, first);
        company.settle();
        assertThat(texts(messages(ben))).containsExactly("2");
        ann.close();
        company.settle();
        assertThat(present(late)).isEmpty();
    }

    @Test
    void a_node_out_of_touch_sends_its_clients_away_and_takes_none_until_it_joins_again() {
        NodesInMemory.Node here = company.node();
        NodesInMemory.Node there = company.node();
        Player ann = here.stage.connect("ann").attach(TALK);
        ann.enter(TALK, "leader");
        here.stage.grant(1);
        company.settle();
        ann.take();
        here.kill();
        here.stage.carry(here.hub().outOfTouch(here.stage.now(), "cut off"));
        assertThat(ann.takeOnly().action()).isEqualTo(Action.DISCONNECTED);
        assertThat(ann.open).isFalse();
        assertThat(here.stage.releases).hasSize(1);
        Player ben = here.stage.open(Map.of("key", Stage.KEY, "clientId", "ben"));
        assertThat(ben.takeOnly().action()).isEqualTo(Action.DISCONNECTED);
        there.bury(here);
        company.settle();
        here.join();
        company.settle();
        assertThat(present(here)).containsExactly("ann:");
        ann.resumeAt(here.stage);
        company.settle();
        assertThat(ann.take()).extracting(ProtocolMessage::action).contains(Action.CONNECTED);
        assertThat(ann.open).isTrue();
        there.stage.pass(Duration.ofSeconds(20));
        company.settle();
        assertThat(present(there)).containsExactly("ann:");
    }

    @Test
    void messages_with_ids_of_their_own_are_published_once_whichever_node_they_come_to() {
        NodesInMemory.Node here = company.node();
        NodesInMemory.Node there = company.node();
        Player ann = here.stage.connect("ann").attach(TALK);
        Player ben = there.stage.connect("ben");
        Message message = Message.of(null, Data.text("once")).withId("mine");
        ann.publish(TALK, message);
        ben.publish(TALK, message);
        company.settle();
        List<ProtocolMessage> heard = messages(ann);
        assertThat(texts(heard)).containsExactly("once");
        assertThat(serials(ben.take(), 0)).containsExactly(serial(heard, "once"));
    }

    @Test
    void messages_of_which_some_were_published_at_another_node_meanwhile_are_refused() {
        NodesInMemory.Node here = company.node();
        NodesInMemory.Node there = company.node();
        Player ben = there.stage.connect("ben");
        Message first = Message.of(null, Data.text("1")).withId("first");
        here.stage.connect("ann").publish(TALK, first);
        ben.publish(TALK, first, Message.of(null, Data.text("2")).withId("second"));
        company.settle();
        assertThat(ben.takeOnly().error().message())
                .isEqualTo("some of the messages were published before; send all as they were, or new ids");
        assertThat(new Asker(here.stage).get("/channels/" + TALK + "/messages").each("data"))
                .containsExactly("1");
    }

    @Test
    void a_node_is_settled_when_nothing_of_its_own_is_underway() {
        NodesInMemory.Node here = company.node();
        Player ann = here.stage.connect("ann");
        assertThat(here.hub().isSettled()).isTrue();
        ann.publish(TALK, "1");
        assertThat(here.hub().isSettled()).isFalse();
        company.settle();
        assertThat(here.hub().isSettled()).isTrue();
    }

    @Test
    void a_channel_with_a_change_underway_makes_no_room_for_another() {
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
    void a_frame_of_a_member_that_is_sent_again_at_another_node_happens_once() {
        NodesInMemory.Node here = company.node();
        NodesInMemory.Node there = company.node();
        Player ann = here.stage.connect("ann");
        ProtocolMessage frame =
                Player.presenceFrame(TALK, ann.nextSerial++, Player.message(PresenceAction.ENTER, null, "a"));
        ann.send(frame);
        company.settle();
        ann.resumeAt(there.stage);
        company.settle();
        ann.take();
        ann.send(frame);
        company.settle();
        assertThat(ann.heard()).containsExactly("ACK #0");
        assertThat(new Asker(here.stage)
                        .get("/channels/" + TALK + "/presence/history")
                        .tree())
                .hasSize(1);
    }

    @Test
    void a_request_that_is_underway_when_its_node_loses_touch_is_refused_and_so_is_the_next() {
        NodesInMemory.Node here = company.node();
        var headers = Map.of("Authorization", "Basic " + Asker.base64(Stage.KEY));
        var request = RestRequest.of(
                "POST",
                "/channels/" + TALK + "/messages",
                headers,
                "{\"data\":\"1\"}".getBytes(StandardCharsets.UTF_8));
        here.stage.carry(here.hub().requested(here.stage.now(), 77, request, "request-entropy-of-its-own"));
        assertThat(here.stage.effects).noneMatch(HubEffect.Answer.class::isInstance);
        here.stage.carry(here.hub().outOfTouch(here.stage.now(), "cut off"));
        assertThat(here.stage.effects)
                .filteredOn(HubEffect.Answer.class::isInstance)
                .singleElement()
                .matches(effect -> ((HubEffect.Answer) effect).requestId() == 77
                        && ((HubEffect.Answer) effect).answer().status() == 503);
        assertThat(here.hub().isSettled()).isTrue();
        assertThat(here.stage.ask(request).status()).isEqualTo(503);
        assertThat(company.log).as("it may happen all the same").hasSize(2);
    }

    @Test
    void a_node_that_was_taken_for_dead_sends_its_clients_away_as_it_reads_that() {
        NodesInMemory.Node here = company.node();
        NodesInMemory.Node there = company.node();
        Player ann = here.stage.connect("ann");
        there.bury(here);
        Logged evicted = company.log.get(company.log.size() - 1);
        here.stage.carry(here.hub().logged(here.stage.now(), List.of(evicted)));
        assertThat(ann.takeOnly().error().message()).isEqualTo("the other nodes took this one for dead; reconnect");
        assertThat(ann.open).isFalse();
        assertThat(new Asker(here.stage).get("/channels").status()).isEqualTo(503);
    }

    @Test
    void who_asks_for_its_connection_at_another_node_and_is_gone_before_the_answer_waits_there() {
        NodesInMemory.Node here = company.node();
        NodesInMemory.Node there = company.node();
        Player ann = here.stage.connect("ann").enter(TALK, "a");
        company.settle();
        ann.take();
        there.cut = true;
        ann.resumeAt(there.stage).drop();
        there.mend();
        company.settle();
        assertThat(ann.take()).isEmpty();
        assertThat(there.hub().connections()).isEqualTo(1);
        assertThat(present(here)).containsExactly("ann:a");
        there.stage.pass(Duration.ofSeconds(16));
        company.settle();
        assertThat(present(here)).isEmpty();
    }

    @Test
    void a_node_that_buries_another_waits_for_nobody_who_was_not_present() {
        NodesInMemory.Node here = company.node();
        NodesInMemory.Node there = company.node();
        here.stage.connect("ann").publish(TALK, "1");
        company.settle();
        here.kill();
        there.bury(here);
        company.settle();
        assertWaitsForNobody(there);
    }

    @Test
    void a_node_waits_no_more_for_those_who_went_on_at_another_or_once_it_loses_touch() {
        NodesInMemory.Node here = company.node();
        NodesInMemory.Node there = company.node();
        NodesInMemory.Node third = company.node();
        Player ann = here.stage.connect("ann").enter(TALK, "a");
        company.settle();
        here.kill();
        there.bury(here);
        company.settle();
        ann.resumeAt(third.stage);
        company.settle();
        assertWaitsForNobody(there);
        third.kill();
        there.bury(third);
        company.settle();
        there.stage.carry(there.hub().outOfTouch(there.stage.now(), "cut off"));
        assertWaitsForNobody(there);
    }

    /** Checks that the node has no timer for connections of other nodes. It has none of its own. */
    private static void assertWaitsForNobody(NodesInMemory.Node node) {
        long next = node.hub().nextWakeNanos().orElseThrow() - node.stage.now().nanos();
        assertThat(next).isGreaterThan(HubSettings.defaults().remainPresentFor().toNanos());
    }

    @Test
    void a_connection_that_was_closed_is_resumed_at_no_node() {
        NodesInMemory.Node here = company.node();
        NodesInMemory.Node there = company.node();
        Player ann = here.stage.connect("ann").close();
        ann.take();
        ann.resumeAt(there.stage);
        company.settle();
        assertThat(ann.takeOnly().error().code()).isEqualTo(80018);
    }

    @Test
    void a_change_is_refused_where_there_is_no_log_to_take_it() {
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
                throw new AssertionError("it cannot have happened");
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
    void two_events_of_one_entry_are_asked_for_one_after_the_other() {
        NodesInMemory.Node here = company.node();
        NodesInMemory.Node there = company.node();
        here.stage.connect("ann").enter(TALK, "leader");
        here.stage.grant(1);
        company.settle();
        // The store has taken the lease away. The entry with ben's claim also ends ann's.
        there.stage.connect("ben").enter(TALK, "leader");
        there.stage.grant(2);
        company.settle();
        var asker = new Asker(here.stage);
        String history = "/channels/" + TALK + "/presence/history";
        assertThat(asker.pages(history + "?limit=1", "clientId")).containsExactly("ben", "ann", "ann");
        assertThat(asker.pages(history + "?limit=1&direction=forwards", "clientId"))
                .containsExactly("ann", "ann", "ben");
    }

    @Test
    void who_attached_late_goes_on_from_there_at_a_node_that_knew_the_channel_before() {
        NodesInMemory.Node here = company.node();
        NodesInMemory.Node there = company.node();
        Player ann = here.stage.connect("ann").attach(TALK);
        ann.publish("other", "1");
        company.settle();
        Player ben = there.stage.connect("ben").attach(TALK);
        String serial = ben.takeOnly().channelSerial();
        ben.drop();
        ben.resumeAt(here.stage);
        company.settle();
        ben.take();
        ben.attachFrom(TALK, serial);
        assertThat(ben.takeOnly().flagBits() & Flags.RESUMED).isNotZero();
    }

    @Test
    void a_claim_on_a_lease_whose_holder_claims_nothing_any_more_is_asked_about_again() {
        NodesInMemory.Node here = company.node();
        here.stage.connect("eve").enter(TALK, "claims nothing");
        company.settle();
        Player ann = here.stage.connect("ann");
        ann.enter(TALK, "leader");
        Claimant claimant = here.stage.claims.get(0);
        here.stage.refuse(claimant, Optional.of(new Leader("gone", 7)));
        company.settle();
        assertThat(ann.take()).isEmpty();
        here.stage.connect("ben").enter(TALK, "leader");
        here.stage.pass(Duration.ofMillis(49));
        assertThat(here.stage.claims).containsExactly(claimant);
        here.stage.pass(Duration.ofMillis(1));
        assertThat(here.stage.claims).containsExactly(claimant, claimant);
        here.stage.grant(8);
        company.settle();
        assertThat(ann.take()).anyMatch(frame -> frame.action() == Action.ACK);
    }

    @Test
    void a_claim_on_a_lease_whose_holder_leads_on_another_node_is_refused() {
        NodesInMemory.Node here = company.node();
        NodesInMemory.Node there = company.node();
        here.stage.connect("ann").enter(TALK, "leader");
        here.stage.grant(7);
        company.settle();
        Player ben = there.stage.connect("ben");
        ben.enter(TALK, "leader");
        there.stage.refuse(there.stage.claims.get(0), Optional.of(new Leader("ann", 7)));
        company.settle();
        assertThat(ben.takeOnly().error().message()).contains("held by \"ann\" in term 7");
    }

    @Test
    void a_node_that_joins_late_knows_what_happened_to_members_before() {
        NodesInMemory.Node here = company.node();
        Player ann = here.stage.connect("ann");
        ann.enter(TALK, "1");
        ann.update(TALK, "2");
        ann.leave(TALK);
        company.settle();
        NodesInMemory.Node late = company.node();
        String history = "/channels/" + TALK + "/presence/history";
        assertThat(new Asker(late.stage).get(history).tree())
                .hasSize(3)
                .isEqualTo(new Asker(here.stage).get(history).tree());
    }

    @Test
    void a_token_revoked_at_one_node_is_good_at_none_and_one_that_joins_later_knows() {
        NodesInMemory.Node here = company.node();
        NodesInMemory.Node there = company.node();
        String token = new Asker(here.stage)
                .post("/keys/app.key/requestToken", "{\"clientId\":\"ann\"}")
                .tree()
                .path("token")
                .asText();
        Player ann = there.stage.open(Map.of("access_token", token));
        assertThat(ann.takeOnly().action()).isEqualTo(Action.CONNECTED);
        new Asker(here.stage).post("/keys/app.key/revokeTokens", "{\"targets\":[\"clientId:ann\"]}");
        company.settle();
        assertThat(ann.takeOnly().error().code()).isEqualTo(40141);
        NodesInMemory.Node late = company.node();
        assertThat(late.stage
                        .open(Map.of("access_token", token))
                        .takeOnly()
                        .error()
                        .code())
                .isEqualTo(40141);
    }

    @Test
    void what_concerns_a_claim_is_told_at_once_on_all_nodes_after_all_that_was_before() {
        NodesInMemory.Node here = company.node();
        NodesInMemory.Node there = company.node();
        Player ben = there.stage.connect("ben").attach(TALK);
        ben.take();
        for (int i = 0; i < 20; i++) {
            here.stage.connect("c" + i).enter(TALK, "many");
        }
        Player ann = here.stage.connect("ann");
        ann.enter(TALK, "leader");
        here.stage.grant(1);
        company.settle();
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

    /** Returns the members of the channel as this node knows them. */
    private static Set<String> present(NodesInMemory.Node node) {
        return node.present(TALK);
    }
}
