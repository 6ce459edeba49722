package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.channel.OccupancySender;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.Occupancy;
import dev.doyen.hub.wire.ProtocolMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that attachments receive the occupancy of their channel if they request it. */
class OccupancyTest {

    private static final Duration INTERVAL = OccupancySender.INTERVAL;

    private final Stage stage = new Stage();

    private Player watcher(String spelling, Map<String, String> params) {
        Player watcher = stage.connect("watcher").attach(spelling, params);
        stage.pass(Duration.ZERO);
        return watcher;
    }

    private static List<String> counts(Player player, String metric) {
        return player.take().stream()
                .filter(frame -> frame.action() == Action.MESSAGE)
                .map(frame -> Lines.of(frame).replaceAll(".*\"" + metric + "\":(\\d+).*", "$1"))
                .toList();
    }

    @Test
    void an_attachment_gets_the_occupancy_at_once() {
        stage.connect("ann").attach("x").enter("x", "");
        Player watcher = stage.connect("watcher").attach("x", Map.of("occupancy", "metrics"));
        List<ProtocolMessage> received = watcher.take();
        assertThat(received)
                .extracting(ProtocolMessage::action)
                .containsExactly(Action.ATTACHED, Action.SYNC, Action.MESSAGE);
        assertThat(received.get(0).params()).containsExactly(Map.entry("occupancy", "metrics"));
        ProtocolMessage frame = received.get(2);
        assertThat(frame.channelSerial()).isNotNull();
        assertThat(frame.timestamp()).isEqualTo(Stage.START_MILLIS);
        Message message = frame.messages().get(0);
        assertThat(message.name()).isEqualTo("[meta]occupancy");
        assertThat(message.encoding()).isEqualTo("json");
        assertThat(message.clientId()).isNull();
        assertThat(Lines.of(frame))
                .isEqualTo("MESSAGE x '{\"metrics\":{\"connections\":2,\"publishers\":2,\"subscribers\":2,"
                        + "\"presenceConnections\":2,\"presenceMembers\":1,\"presenceSubscribers\":2}}'");
    }

    @Test
    void two_occupancies_are_added_by_field() {
        assertThat(new Occupancy(1, 2, 3, 4, 5, 6).plus(new Occupancy(10, 20, 30, 40, 50, 60)))
                .isEqualTo(new Occupancy(11, 22, 33, 44, 55, 66));
    }

    @Test
    void changes_are_sent_at_most_once_per_interval() {
        Player watcher = watcher("x", Map.of("occupancy", "metrics"));
        watcher.take();
        for (int i = 0; i < 50; i++) {
            stage.connect("c" + i).attach("x");
            stage.pass(Duration.ofMillis(10));
        }
        assertThat(counts(watcher, "connections"))
                .as("no change is sent within the interval")
                .isEmpty();
        stage.pass(INTERVAL);
        assertThat(counts(watcher, "connections")).containsExactly("51");
        stage.pass(Duration.ofMinutes(1));
        stage.connect("late").attach("x");
        stage.pass(Duration.ZERO);
        assertThat(counts(watcher, "connections"))
                .as("a change after a quiet interval is sent at once")
                .containsExactly("52");
    }

    @Test
    void members_and_modes_are_counted() {
        Player watcher = watcher("x", Map.of("occupancy", "metrics"));
        watcher.take();
        Player ann = stage.connect("ann").enter("x", "");
        stage.pass(INTERVAL);
        assertThat(counts(watcher, "presenceMembers")).containsExactly("1");
        ann.attach("x");
        stage.pass(INTERVAL);
        assertThat(counts(watcher, "publishers")).containsExactly("2");
        ann.attach("x", Map.of("modes", "subscribe"));
        stage.pass(INTERVAL);
        assertThat(counts(watcher, "publishers")).containsExactly("1");
        ann.close();
        stage.pass(INTERVAL);
        assertThat(counts(watcher, "connections")).containsExactly("1");
    }

    @Test
    void a_connection_attached_by_two_names_is_counted_once_with_both_modes() {
        Player watcher = watcher("x", Map.of("occupancy", "metrics"));
        watcher.take();
        stage.connect("ann")
                .attach("x", Map.of("modes", "publish"))
                .attach("[?rewind=1]x", Map.of("modes", "subscribe"));
        stage.pass(INTERVAL);
        assertThat(watcher.received())
                .containsExactly("MESSAGE x '{\"metrics\":{\"connections\":2,\"publishers\":2,\"subscribers\":2,"
                        + "\"presenceConnections\":1,\"presenceMembers\":0,\"presenceSubscribers\":1}}'");
    }

    @Test
    void a_change_that_is_reverted_is_not_sent() {
        Player watcher = watcher("x", Map.of("occupancy", "metrics"));
        stage.pass(INTERVAL);
        List<ProtocolMessage> first = watcher.take();
        ProtocolMessage before = first.get(first.size() - 1);
        stage.connect("a").attach("x");
        stage.pass(Duration.ZERO);
        ProtocolMessage update = watcher.takeOnly();
        assertThat(Lines.of(update)).contains("\"connections\":2,");
        assertThat(update.id()).isNotEqualTo(before.id());
        assertThat(update.channelSerial()).isGreaterThan(before.channelSerial());
        stage.connect("b").attach("x").close();
        stage.pass(INTERVAL.multipliedBy(3));
        assertThat(counts(watcher, "connections")).isEmpty();
    }

    @Test
    void a_single_metric_is_sent_only_when_it_changes() {
        Player watcher = watcher("[?occupancy=metrics.publishers]x", Map.of());
        assertThat(counts(watcher, "publishers")).containsExactly("1", "1");
        stage.connect("ann").attach("x", Map.of("modes", "subscribe"));
        stage.pass(INTERVAL.multipliedBy(2));
        assertThat(watcher.received()).isEmpty();
        stage.connect("bob").attach("x");
        stage.pass(INTERVAL.multipliedBy(2));
        assertThat(watcher.received())
                .containsExactly("MESSAGE [?occupancy=metrics.publishers]x '{\"metrics\":{\"publishers\":2}}'");
    }

    @Test
    void occupancy_is_sent_only_to_subscribers_that_requested_it() {
        Player plain = stage.connect("plain").attach("x");
        Player publisher = stage.connect("deaf").attach("x", Map.of("occupancy", "metrics", "modes", "publish"));
        stage.connect("ann").attach("x");
        stage.pass(INTERVAL.multipliedBy(2));
        assertThat(plain.received()).containsExactly("ATTACHED x");
        assertThat(publisher.received()).containsExactly("ATTACHED x");
    }

    @Test
    void a_new_attach_without_occupancy_ends_it() {
        Player watcher = watcher("x", Map.of("occupancy", "metrics")).attach("x");
        watcher.take();
        stage.connect("ann").attach("x");
        stage.pass(INTERVAL.multipliedBy(2));
        assertThat(watcher.received()).isEmpty();
    }

    @Test
    void occupancy_is_not_part_of_the_history() {
        Player watcher = watcher("x", Map.of("occupancy", "metrics"));
        stage.connect("ann").publish("x", "1");
        stage.pass(INTERVAL);
        List<ProtocolMessage> received = watcher.take();
        String serial = received.get(received.size() - 1).channelSerial();
        stage.connect("bob").publish("x", "2");
        watcher.drop();
        watcher.resume().take();
        watcher.attachFrom("x", serial);
        assertThat(watcher.received()).containsExactly("ATTACHED x resumed backlog", "MESSAGE x '2'");
        assertThat(new RestClient(stage).get("/channels/x/messages").each("data"))
                .containsExactly("2", "1");
    }

    @Test
    void a_channel_without_occupancy_subscribers_sets_no_timer() {
        stage.connect("ann").attach("x");
        Player watcher = watcher("y", Map.of("occupancy", "metrics"));
        watcher.detach("y");
        stage.pass(INTERVAL);
        long next = stage.hub.nextWakeNanos().orElseThrow() - stage.now().nanos();
        assertThat(next).isGreaterThan(INTERVAL.toNanos());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "all", "metrics.", "metrics.speakers"})
    void an_unknown_metric_fails_the_channel(String text) {
        Player ann = stage.connect("ann").attach("x", Map.of("occupancy", text));
        assertThat(ann.takeOnly().error().code()).isEqualTo(40000);
    }
}
