package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.auth.HubKeys;
import dev.doyen.hub.channel.ChannelView;
import dev.doyen.hub.history.ChannelSerials;
import dev.doyen.hub.log.Joined;
import dev.doyen.hub.log.LogPosition;
import dev.doyen.hub.log.Logged;
import dev.doyen.hub.nodes.ChangeText;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.NodeEffect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a node which joins late or joins again reads the past from the log and from a snapshot. */
class NodesJoinTest {

    private static final String TALK = "talk";

    private final NodesInMemory cluster = new NodesInMemory(HubSettings.defaults());

    private static List<String> channels(NodesInMemory.Node node) {
        return node.hub().channels().stream().map(ChannelView::name).toList();
    }

    private static List<String> messages(NodesInMemory.Node node) {
        return new RestClient(node.stage).get("/channels/" + TALK + "/messages").each("data");
    }

    private static List<NodeEffect.Show> shown(NodesInMemory.Node node) {
        return node.stage.effects.stream()
                .filter(NodeEffect.Show.class::isInstance)
                .map(NodeEffect.Show.class::cast)
                .toList();
    }

    /** Cuts one node off and lets the other node evict it. */
    private static void separate(NodesInMemory.Node node, NodesInMemory.Node other) {
        node.stage.carry(node.hub().outOfTouch(node.stage.now(), "cut off"));
        node.kill();
        other.bury(node);
    }

    @Test
    void a_node_that_rejoins_has_no_old_state() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        Player ben = there.stage.connect("ben");
        ben.enter(TALK, "b").publish(TALK, "1");
        cluster.settle();
        assertThat(here.present(TALK)).containsExactly("ben:b");
        separate(here, there);
        ben.close();
        cluster.settle();
        here.join();
        cluster.settle();
        assertThat(here.present(TALK)).isEmpty();
        assertThat(messages(here)).containsExactly("1");
    }

    @Test
    void messages_read_at_a_join_have_the_same_age_on_all_nodes() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        there.stage.connect("ben").publish(TALK, "1").publish(TALK, "2");
        cluster.settle();
        separate(here, there);
        here.stage.pass(Duration.ofSeconds(100));
        here.join();
        assertThat(messages(here)).containsExactly("2", "1");
        here.stage.pass(Duration.ofSeconds(30));
        assertThat(messages(here)).as("the last message is stored longer").containsExactly("2");
    }

    @Test
    void presence_events_of_a_snapshot_have_the_same_age_on_all_nodes() {
        NodesInMemory.Node here = cluster.node();
        here.stage.connect("ann").enter(TALK, "a");
        cluster.settle();
        cluster.node();
        String snapshot = shown(here).get(0).snapshot();
        Stage late = lateStage();
        late.pass(Duration.ofSeconds(100));
        var position = new LogPosition(late.now().wallMillis(), 0);
        var entry = new Logged(position, ChangeText.head("joined", "late", 0) + "\n");
        late.carry(late.hub.joined(late.now(), new Joined("late", "series", position, List.of(entry), snapshot)));
        String events = "/channels/" + TALK + "/presence/history";
        assertThat(new RestClient(late).get(events).each("clientId")).containsExactly("ann");
        late.pass(Duration.ofSeconds(30));
        assertThat(new RestClient(late).get(events).tree()).isEmpty();
    }

    @Test
    void a_message_that_did_not_fit_at_a_join_breaks_continuity() {
        var small = new NodesInMemory(HubSettings.builder().maxChannels(1).build());
        NodesInMemory.Node here = small.node();
        Player ann = here.stage.connect("ann").attach(TALK);
        String before = ann.takeOnly().channelSerial();
        ann.detach(TALK).publish(TALK, "1");
        small.settle();
        ann.publish("other", "2");
        small.settle();
        ann.publish(TALK, "3");
        small.settle();
        NodesInMemory.Node late = small.node();
        assertThat(messages(late)).containsExactly("3");
        Player ben = late.stage.connect("ben").attachFrom(TALK, before);
        assertThat(ben.received())
                .singleElement()
                .asString()
                .startsWith("ATTACHED talk 90003/400 messages on \"talk\" may");
    }

    @Test
    void an_attachment_from_before_a_join_continues_on_the_node() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node late = cluster.node();
        String serial = here.stage.connect("ann").attach(TALK).takeOnly().channelSerial();
        Player ben = late.stage.connect("ben").attachFrom(TALK, serial);
        assertThat(ben.received()).containsExactly("ATTACHED talk resumed");
    }

    @ParameterizedTest
    @CsvSource({"5-3, 5-2, 5-1", "5-0, 4-9223372036854775807, 4-1500"})
    void a_node_has_all_entries_after_the_trimmed_part_of_the_log(String first, String cut, String older) {
        NodesInMemory.Node here = cluster.node();
        here.stage.connect("ann").publish(TALK, "1");
        cluster.settle();
        Logged published = cluster.log.get(cluster.log.size() - 1);
        Stage stage = lateStage();
        LogPosition position = afterStart(first);
        var entry = new Logged(position, published.text());
        stage.carry(stage.hub.joined(stage.now(), new Joined("late", "series", position, List.of(entry), null)));
        assertThat(stage.connect("ben").attachFrom(TALK, serial(cut)).received())
                .containsExactly("ATTACHED talk resumed backlog", "MESSAGE talk '1'");
        assertThat(stage.connect("cid").attachFrom(TALK, serial(older)).received())
                .singleElement()
                .asString()
                .startsWith("ATTACHED talk 90003/400");
    }

    /** Returns a node whose log entries the test writes. */
    private static Stage lateStage() {
        return new Stage(Hub.node(HubSettings.defaults(), HubKeys.of(List.of(Stage.KEY))), "late-", effect -> {});
    }

    private static LogPosition afterStart(String text) {
        LogPosition position = LogPosition.parse(text);
        return new LogPosition(Stage.START_MILLIS + position.millis(), position.number());
    }

    private static String serial(String text) {
        LogPosition position = afterStart(text);
        return new ChannelSerials("series", position, () -> position).last();
    }

    @Test
    void members_that_migrated_before_a_join_leave_with_their_current_node() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        Player ann = here.stage.connect("ann").enter(TALK, "a").publish(TALK, "1");
        here.stage.connect("ben").enter(TALK, "b");
        cluster.settle();
        ann.resumeAt(there.stage);
        cluster.settle();
        NodesInMemory.Node late = cluster.node();
        there.kill();
        late.bury(there);
        cluster.settle();
        late.stage.pass(Duration.ofSeconds(16));
        cluster.settle();
        assertThat(here.present(TALK)).containsExactly("ben:b");
        assertThat(late.present(TALK)).containsExactly("ben:b");
        here.kill();
        late.bury(here);
        cluster.settle();
        late.stage.pass(Duration.ofSeconds(16));
        cluster.settle();
        assertThat(late.present(TALK)).isEmpty();
    }

    @Test
    void the_members_of_an_evicted_node_belong_to_a_node_that_joined_later() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        here.stage.connect("ann").enter(TALK, "a");
        cluster.settle();
        here.kill();
        there.bury(here);
        cluster.settle();
        NodesInMemory.Node late = cluster.node();
        there.kill();
        late.bury(there);
        cluster.settle();
        assertThat(late.present(TALK)).containsExactly("ann:a");
        late.stage.pass(Duration.ofSeconds(16));
        cluster.settle();
        assertThat(late.present(TALK)).isEmpty();
    }

    @Test
    void the_claim_of_an_evicted_node_is_ended_by_a_node_that_joined_later() {
        NodesInMemory.Node here = cluster.node();
        here.stage.connect("ann").enter(TALK, "leader");
        here.stage.grant(1);
        cluster.settle();
        NodesInMemory.Node late = cluster.node();
        assertThat(late.present(TALK)).containsExactly("ann:leader");
        here.kill();
        late.bury(here);
        cluster.settle();
        assertThat(late.present(TALK)).containsExactly("ann:");
    }

    @Test
    void a_single_node_sends_its_state_to_a_joining_node() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        NodesInMemory.Node third = cluster.node();
        cluster.settle();
        assertThat(shown(here)).extracting(NodeEffect.Show::node).containsExactly(there.name, third.name);
        assertThat(shown(there)).isEmpty();
        assertThat(shown(third)).isEmpty();
    }

    @Test
    void a_single_node_that_rejoined_sends_its_state_to_a_joining_node() {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        separate(here, there);
        cluster.settle();
        here.join();
        there.kill();
        here.bury(there);
        cluster.settle();
        here.stage.connect("ann").enter(TALK, "a");
        cluster.settle();
        NodesInMemory.Node late = cluster.node();
        assertThat(shown(here)).extracting(NodeEffect.Show::node).containsExactly(there.name, late.name);
        assertThat(late.present(TALK)).containsExactly("ann:a");
    }

    @Test
    void a_snapshot_contains_members_without_history_and_no_empty_channels() {
        NodesInMemory.Node here = cluster.node();
        here.stage.connect("ann").attach("quiet").enter(TALK, "a");
        cluster.settle();
        here.stage.pass(Duration.ofMinutes(3));
        NodesInMemory.Node late = cluster.node();
        assertThat(late.present(TALK)).containsExactly("ann:a");
        assertThat(channels(late)).containsExactly(TALK);
    }

    @Test
    void a_snapshot_has_a_hundred_members_per_frame() {
        NodesInMemory.Node here = cluster.node();
        for (int i = 0; i < 150; i++) {
            here.stage.connect("c" + i).enter(TALK, "d" + i);
        }
        cluster.settle();
        NodesInMemory.Node late = cluster.node();
        assertThat(late.present(TALK)).hasSize(150).isEqualTo(here.present(TALK));
        long lines = shown(here).get(0).snapshot().lines().count();
        assertThat(lines)
                .as("two lines for the heads, 150 for the history and 2 for the members")
                .isEqualTo(2 + 150 + 2);
    }

    @Test
    void an_event_after_a_join_has_the_same_time_on_all_nodes() {
        NodesInMemory.Node here = cluster.node();
        Player eve = here.stage.connect("eve").enter("left", "e");
        for (String channel : List.of("left", "entered")) {
            var members = new ArrayList<Player>();
            for (int i = 0; i < 20; i++) {
                members.add(here.stage.connect("c" + i).enter(channel, "d"));
            }
            cluster.settle();
            // The hub creates a LEAVE event for each member. Each event has a later time than the event before, even
            // if the log's clock stands still.
            members.forEach(Player::close);
            cluster.settle();
        }
        NodesInMemory.Node late = cluster.node();
        eve.close();
        late.stage.connect("ann").enter("entered", "a");
        cluster.settle();
        for (String channel : List.of("left", "entered")) {
            String history = "/channels/" + channel + "/presence/history";
            assertThat(new RestClient(late.stage).get(history).tree())
                    .hasSizeGreaterThan(40)
                    .isEqualTo(new RestClient(here.stage).get(history).tree());
        }
    }

    @Test
    void a_channel_of_a_snapshot_is_removed_with_its_history() {
        NodesInMemory.Node here = cluster.node();
        here.stage.connect("ann").enter(TALK, "a").leave(TALK);
        cluster.settle();
        NodesInMemory.Node late = cluster.node();
        assertThat(channels(late)).containsExactly(TALK);
        late.stage.pass(Duration.ofMinutes(5));
        assertThat(channels(late)).isEmpty();
    }

    @Test
    void a_channel_of_another_node_replaces_an_idle_channel() {
        var small = new NodesInMemory(HubSettings.builder().maxChannels(2).build());
        NodesInMemory.Node here = small.node();
        NodesInMemory.Node there = small.node();
        Player ann = here.stage.connect("ann");
        ann.publish("a", "1").publish("b", "1");
        small.settle();
        assertThat(channels(there)).containsExactly("a", "b");
        ann.publish("c", "1");
        small.settle();
        assertThat(channels(there)).containsExactly("b", "c");
        there.stage.connect("ben").attach("b").attach("c");
        ann.publish("d", "1");
        small.settle();
        assertThat(channels(there)).as("all channels are in use").containsExactly("b", "c", "d");
        ann.publish("d", "2");
        small.settle();
        assertThat(channels(there)).as("the node already knows the channel").containsExactly("b", "c", "d");
    }
}
