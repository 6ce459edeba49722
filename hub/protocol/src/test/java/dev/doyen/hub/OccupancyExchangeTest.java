package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.hub.channel.OccupancyNews;
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

/** Occupancy over all nodes, and the number of log entries that it needs. */
class OccupancyExchangeTest {

    private static final String TALK = "talk";

    private final NodesInMemory company = new NodesInMemory(HubSettings.defaults());
    private final NodesInMemory.Node here = company.node();
    private final NodesInMemory.Node there = company.node();

    /** Lets every node write its counts and read those of the others. */
    private void settle(NodesInMemory.Node... nodes) {
        for (NodesInMemory.Node node : nodes) {
            node.stage.pass(OccupancyNews.INTERVAL);
        }
        company.settle();
        for (NodesInMemory.Node node : nodes) {
            node.stage.pass(OccupancyNews.INTERVAL);
        }
    }

    private void settle() {
        settle(here, there);
    }

    private static JsonNode status(NodesInMemory.Node node) {
        return new Asker(node.stage).get("/channels/" + TALK).tree().path("status");
    }

    private static int count(NodesInMemory.Node node, String metric) {
        return status(node).path("occupancy").path("metrics").path(metric).asInt();
    }

    private static List<String> channels(NodesInMemory.Node node) {
        return new Asker(node.stage).get("/channels").each("channelId");
    }

    private List<JsonNode> told() {
        return company.log.stream()
                .map(entry -> ChangeText.head(entry.text()))
                .filter(head -> head.path("kind").asText().equals(OccupancyExchange.KIND))
                .toList();
    }

    private static List<String> news(Player player, String metric) {
        return player.take().stream()
                .filter(frame -> frame.action() == Action.MESSAGE)
                .map(frame -> Lines.of(frame).replaceAll(".*\"" + metric + "\":(\\d+).*", "$1"))
                .toList();
    }

    @Test
    void every_node_answers_the_sum_of_all() {
        here.stage.connect("ann").attach(TALK);
        here.stage.connect("ada").attach(TALK, Map.of("modes", "subscribe"));
        there.stage.connect("ben").attach(TALK).enter(TALK, "b");
        there.stage.connect("bob").attach(TALK, Map.of("modes", "publish"));
        settle();
        for (NodesInMemory.Node node : List.of(here, there)) {
            assertThat(status(node).path("isActive").asBoolean()).isTrue();
            assertThat(status(node).path("occupancy").path("metrics"))
                    .as("at %s", node.name)
                    .hasToString("{\"connections\":4,\"publishers\":3,\"subscribers\":3,\"presenceConnections\":2,"
                            + "\"presenceMembers\":1,\"presenceSubscribers\":2}");
        }
    }

    @Test
    void a_channel_that_only_others_use_is_in_use_and_listed() {
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
    void who_watches_is_told_of_those_who_come_and_go_elsewhere() {
        Player watcher = here.stage.connect("watcher").attach(TALK, Map.of("occupancy", "metrics"));
        settle();
        watcher.take();
        Player ben = there.stage.connect("ben").attach(TALK);
        settle();
        assertThat(news(watcher, "connections")).containsExactly("2");
        ben.attach(TALK, Map.of("modes", "subscribe"));
        settle();
        assertThat(news(watcher, "publishers")).containsExactly("1");
        ben.drop();
        settle();
        assertThat(news(watcher, "connections")).containsExactly("1");
        Player late = here.stage.connect("late");
        there.stage.connect("bob").attach(TALK);
        settle();
        late.attach(TALK, Map.of("occupancy", "metrics.connections"));
        assertThat(news(late, "connections")).as("as it attaches").containsExactly("3");
    }

    @Test
    void what_a_new_token_allows_is_counted_at_all_nodes() {
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
        return new Asker(here.stage)
                .post(
                        "/keys/app.key/requestToken",
                        "{\"clientId\":\"ann\",\"capability\":\"{\\\"talk\\\":[\\\"" + operations + "\\\"]}\"}")
                .tree()
                .path("token")
                .asText();
    }

    @Test
    void messages_have_nothing_counted() {
        Player ann = here.stage.connect("ann").attach(TALK);
        settle();
        ann.publish(TALK, "hello");
        company.settle();
        long next = here.hub().nextWakeNanos().orElseThrow() - here.stage.now().nanos();
        assertThat(next).isGreaterThan(OccupancyNews.INTERVAL.toNanos());
    }

    @Test
    void a_storm_is_told_once_an_interval_and_what_changes_back_not_at_all() {
        for (int i = 0; i < 50; i++) {
            here.stage.connect("c" + i).attach(TALK);
            here.stage.pass(Duration.ofMillis(10));
        }
        settle();
        assertThat(told()).hasSizeLessThanOrEqualTo(2);
        assertThat(count(there, "connections")).isEqualTo(50);
        int before = told().size();
        Player ann = here.stage.connect("ann").attach(TALK);
        here.stage.pass(Duration.ZERO);
        company.settle();
        assertThat(count(there, "connections"))
                .as("after a quiet time, at once")
                .isEqualTo(51);
        here.stage.connect("short").attach(TALK).detach(TALK);
        settle();
        for (int i = 0; i < 20; i++) {
            ann.publish(TALK, "hello");
            company.settle();
            here.stage.pass(OccupancyNews.INTERVAL);
        }
        assertThat(told()).as("messages are no news").hasSize(before + 1);
    }

    @Test
    void many_channels_are_told_in_few_entries() {
        for (int client = 0; client < 3; client++) {
            Player player = here.stage.connect("c" + client);
            for (int i = 0; i < 150; i++) {
                player.attach("room:" + client + ":" + i);
            }
        }
        settle();
        assertThat(told()).hasSizeLessThanOrEqualTo(4);
        assertThat(told()).allMatch(head -> head.path("channels").size() <= OccupancyExchange.MAX_PER_ENTRY);
        assertThat(new Asker(there.stage).get("/channels?limit=1000&by=id").tree())
                .hasSize(450);
    }

    @Test
    void a_dead_nodes_connections_are_counted_until_it_is_evicted() {
        NodesInMemory.Node third = company.node();
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
        assertThat(news(watcher, "connections")).containsExactly("2");
    }

    @Test
    void who_resumes_elsewhere_is_counted_once_and_there() {
        Player ann = here.stage.connect("ann").attach(TALK);
        settle();
        ann.resumeAt(there.stage);
        company.settle();
        ann.attach(TALK);
        settle();
        assertThat(count(here, "connections")).isEqualTo(1);
        assertThat(count(there, "connections")).isEqualTo(1);
    }

    @Test
    void a_node_that_joins_is_shown_what_all_others_have_counted() {
        here.stage.connect("ann").attach(TALK);
        Player ben = there.stage.connect("ben").attach(TALK);
        settle();
        NodesInMemory.Node late = company.node();
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
    void a_node_that_was_out_of_touch_knows_nothing_old_and_counts_anew() {
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
    void a_node_that_is_out_of_touch_tells_no_numbers() {
        here.stage.connect("ann").attach(TALK);
        settle();
        here.stage.carry(here.hub().outOfTouch(here.stage.now(), "cut off"));
        here.stage.effects.clear();
        here.stage.pass(OccupancyNews.INTERVAL.multipliedBy(2));
        assertThat(here.stage.effects).noneMatch(NodeEffect.class::isInstance);
    }

    @Test
    void numbers_have_the_serial_of_what_was_last_in_the_log() {
        Player watcher = here.stage.connect("watcher").attach(TALK, Map.of("occupancy", "metrics"));
        String attached = watcher.take().get(0).channelSerial();
        here.stage.connect("ann").attach(TALK);
        settle();
        assertThat(watcher.take()).isNotEmpty().allMatch(frame -> attached.equals(frame.channelSerial()));
    }

    @Test
    void an_entry_of_a_kind_that_a_node_does_not_know_is_passed_over() {
        Player ann = here.stage.connect("ann").attach(TALK);
        company.say(ChangeText.head("weighed", there.name, 7).put("channels", 1) + "\n");
        ann.publish(TALK, "still there");
        company.settle();
        assertThat(ann.heard()).anyMatch(line -> line.contains("still there"));
        assertThat(new Asker(there.stage).get("/channels/" + TALK + "/messages").each("data"))
                .containsExactly("still there");
    }
}
