package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.hub.channel.OccupancySender;
import dev.doyen.hub.nodes.ChangeText;
import dev.doyen.hub.nodes.OccupancyExchange;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.NodeEffect;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.AuthDetails;
import dev.doyen.hub.wire.ProtocolMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests how nodes exchange their occupancy through the log, and how many entries they write. */
class OccupancyExchangeTest {

    private static final String TALK = "talk";

    private final NodesInMemory cluster = new NodesInMemory(HubSettings.defaults());
    private final NodesInMemory.Node here = cluster.node();
    private final NodesInMemory.Node there = cluster.node();

    /** Lets these nodes write their counts and read each other's counts. */
    private void settle(NodesInMemory.Node... nodes) {
        for (NodesInMemory.Node node : nodes) {
            node.stage.pass(OccupancySender.INTERVAL);
        }
        cluster.settle();
        for (NodesInMemory.Node node : nodes) {
            node.stage.pass(OccupancySender.INTERVAL);
        }
    }

    private void settle() {
        settle(here, there);
    }

    private static JsonNode status(NodesInMemory.Node node) {
        return new RestClient(node.stage).get("/channels/" + TALK).tree().path("status");
    }

    private static int count(NodesInMemory.Node node, String metric) {
        return status(node).path("occupancy").path("metrics").path(metric).asInt();
    }

    private static List<String> channels(NodesInMemory.Node node) {
        return new RestClient(node.stage).get("/channels").each("channelId");
    }

    private List<JsonNode> announcements() {
        return cluster.log.stream()
                .map(entry -> ChangeText.head(entry.text()))
                .filter(head -> head.path("kind").asText().equals(OccupancyExchange.KIND))
                .toList();
    }

    private static List<String> sentValues(Player player, String metric) {
        return player.take().stream()
                .filter(frame -> frame.action() == Action.MESSAGE)
                .map(frame -> Lines.of(frame).replaceAll(".*\"" + metric + "\":(\\d+).*", "$1"))
                .toList();
    }

    @Test
    void every_node_reports_the_sum_of_all_nodes() {
        here.stage.connect("ann").attach(TALK);
        here.stage.connect("ada").attach(TALK, Map.of("modes", "subscribe"));
        there.stage.connect("ben").attach(TALK).enter(TALK, "b");
        there.stage.connect("bob").attach(TALK, Map.of("modes", "publish"));
        settle();
        for (NodesInMemory.Node node : List.of(here, there)) {
            assertThat(status(node).path("isActive").asBoolean()).isTrue();
            assertThat(status(node).path("occupancy").path("metrics"))
                    .as("metrics at node %s", node.name)
                    .hasToString("{\"connections\":4,\"publishers\":3,\"subscribers\":3,\"presenceConnections\":2,"
                            + "\"presenceMembers\":1,\"presenceSubscribers\":2}");
        }
    }

    @Test
    void a_channel_used_only_on_other_nodes_is_listed() {
        Player ann = here.stage.connect("ann").attach(TALK);
        settle();
        assertThat(status(there).path("isActive").asBoolean()).isTrue();
        assertThat(count(there, "connections")).isEqualTo(1);
        assertThat(channels(there)).containsExactly(TALK);
        ann.detach(TALK);
        settle();
        assertThat(status(there).path("isActive").asBoolean()).isFalse();
        assertThat(count(there, "connections")).isZero();
        assertThat(channels(there)).isEmpty();
    }

    @Test
    void occupancy_includes_changes_on_other_nodes() {
        Player watcher = here.stage.connect("watcher").attach(TALK, Map.of("occupancy", "metrics"));
        settle();
        watcher.take();
        Player ben = there.stage.connect("ben").attach(TALK);
        settle();
        assertThat(sentValues(watcher, "connections")).containsExactly("2");
        ben.attach(TALK, Map.of("modes", "subscribe"));
        settle();
        assertThat(sentValues(watcher, "publishers")).containsExactly("1");
        ben.drop();
        settle();
        assertThat(sentValues(watcher, "connections")).containsExactly("1");
        Player late = here.stage.connect("late");
        there.stage.connect("bob").attach(TALK);
        settle();
        late.attach(TALK, Map.of("occupancy", "metrics.connections"));
        assertThat(sentValues(late, "connections"))
                .as("a new attachment gets the count at once")
                .containsExactly("3");
    }

    @Test
    void changed_modes_are_counted_at_all_nodes() {
        Player ann = here.stage.open(Map.of("access_token", token("publish\\\",\\\"subscribe")));
        ann.attach(TALK);
        settle();
        assertThat(count(there, "publishers")).isEqualTo(1);
        ann.send(ProtocolMessage.builder(Action.AUTH)
                .auth(new AuthDetails(token("subscribe")))
                .build());
        settle();
        assertThat(count(there, "connections")).isEqualTo(1);
        assertThat(count(there, "publishers")).isZero();
    }

    private String token(String operations) {
        return new RestClient(here.stage)
                .post(
                        "/keys/app.key/requestToken",
                        "{\"clientId\":\"ann\",\"capability\":\"{\\\"talk\\\":[\\\"" + operations + "\\\"]}\"}")
                .tree()
                .path("token")
                .asText();
    }

    @Test
    void messages_do_not_change_the_occupancy() {
        Player ann = here.stage.connect("ann").attach(TALK);
        settle();
        ann.publish(TALK, "hello");
        cluster.settle();
        long next = here.hub().nextWakeNanos().orElseThrow() - here.stage.now().nanos();
        assertThat(next).isGreaterThan(OccupancySender.INTERVAL.toNanos());
    }

    @Test
    void many_changes_are_sent_once_per_interval() {
        for (int i = 0; i < 50; i++) {
            here.stage.connect("c" + i).attach(TALK);
            here.stage.pass(Duration.ofMillis(10));
        }
        settle();
        assertThat(announcements()).hasSizeLessThanOrEqualTo(2);
        assertThat(count(there, "connections")).isEqualTo(50);
        int before = announcements().size();
        Player ann = here.stage.connect("ann").attach(TALK);
        here.stage.pass(Duration.ZERO);
        cluster.settle();
        assertThat(count(there, "connections"))
                .as("a change after a quiet interval is sent at once")
                .isEqualTo(51);
        here.stage.connect("short").attach(TALK).detach(TALK);
        settle();
        for (int i = 0; i < 20; i++) {
            ann.publish(TALK, "hello");
            cluster.settle();
            here.stage.pass(OccupancySender.INTERVAL);
        }
        assertThat(announcements()).as("messages do not change the occupancy").hasSize(before + 1);
    }

    @Test
    void many_channels_share_few_log_entries() {
        for (int client = 0; client < 3; client++) {
            Player player = here.stage.connect("c" + client);
            for (int i = 0; i < 150; i++) {
                player.attach("room:" + client + ":" + i);
            }
        }
        settle();
        assertThat(announcements()).hasSizeLessThanOrEqualTo(4);
        assertThat(announcements()).allMatch(head -> head.path("channels").size() <= OccupancyExchange.MAX_PER_ENTRY);
        assertThat(new RestClient(there.stage).get("/channels?limit=1000&by=id").tree())
                .hasSize(450);
    }

    @Test
    void connections_of_a_stopped_node_are_counted_until_its_eviction() {
        NodesInMemory.Node third = cluster.node();
        Player watcher = third.stage.connect("watcher").attach(TALK, Map.of("occupancy", "metrics"));
        here.stage.connect("ann").attach(TALK);
        there.stage.connect("ben").attach(TALK);
        settle(here, there, third);
        watcher.take();
        here.kill();
        settle(there, third);
        assertThat(count(third, "connections")).isEqualTo(3);
        there.bury(here);
        settle(there, third);
        assertThat(count(third, "connections")).isEqualTo(2);
        assertThat(count(there, "connections")).isEqualTo(2);
        assertThat(sentValues(watcher, "connections")).containsExactly("2");
    }

    @Test
    void a_migrated_connection_is_counted_once_at_its_new_node() {
        Player ann = here.stage.connect("ann").attach(TALK);
        settle();
        ann.resumeAt(there.stage);
        cluster.settle();
        ann.attach(TALK);
        settle();
        assertThat(count(here, "connections")).isEqualTo(1);
        assertThat(count(there, "connections")).isEqualTo(1);
    }

    @Test
    void a_joining_node_gets_the_counts_of_all_nodes() {
        here.stage.connect("ann").attach(TALK);
        Player ben = there.stage.connect("ben").attach(TALK);
        settle();
        NodesInMemory.Node late = cluster.node();
        assertThat(count(late, "connections")).isEqualTo(2);
        ben.close();
        settle(here, there, late);
        assertThat(count(late, "connections")).isEqualTo(1);
        here.kill();
        there.bury(here);
        settle(there, late);
        assertThat(count(late, "connections")).isZero();
    }

    @Test
    void a_rejoining_node_drops_old_counts() {
        here.stage.connect("ann").attach(TALK);
        Player ben = there.stage.connect("ben").attach(TALK);
        there.stage.connect("bob").attach(TALK);
        Player fred = there.stage.connect("fred").attach("quiet");
        settle();
        here.stage.carry(here.hub().outOfTouch(here.stage.now(), "cut off"));
        here.kill();
        there.bury(here);
        settle(there);
        assertThat(count(there, "connections")).isEqualTo(2);
        ben.close();
        fred.close();
        settle(there);
        here.join();
        assertThat(count(here, "connections")).isEqualTo(1);
        assertThat(channels(here)).containsExactly(TALK);
        here.stage.connect("ann").attach(TALK);
        settle();
        assertThat(count(here, "connections")).isEqualTo(2);
        assertThat(count(there, "connections")).isEqualTo(2);
    }

    @Test
    void a_disconnected_node_reports_no_counts() {
        here.stage.connect("ann").attach(TALK);
        settle();
        here.stage.carry(here.hub().outOfTouch(here.stage.now(), "cut off"));
        here.stage.effects.clear();
        here.stage.pass(OccupancySender.INTERVAL.multipliedBy(2));
        assertThat(here.stage.effects).noneMatch(NodeEffect.class::isInstance);
    }

    @Test
    void counts_have_the_serial_of_the_last_log_entry() {
        Player watcher = here.stage.connect("watcher").attach(TALK, Map.of("occupancy", "metrics"));
        String attached = watcher.take().get(0).channelSerial();
        here.stage.connect("ann").attach(TALK);
        settle();
        assertThat(watcher.take()).isNotEmpty().allMatch(frame -> attached.equals(frame.channelSerial()));
    }

    @Test
    void an_entry_of_an_unknown_kind_is_skipped() {
        Player ann = here.stage.connect("ann").attach(TALK);
        cluster.append(ChangeText.head("weighed", there.name, 7).put("channels", 1) + "\n");
        ann.publish(TALK, "still there");
        cluster.settle();
        assertThat(ann.received()).anyMatch(line -> line.contains("still there"));
        assertThat(new RestClient(there.stage)
                        .get("/channels/" + TALK + "/messages")
                        .each("data"))
                .containsExactly("still there");
    }
}
