package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.channel.OccupancyNews;
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

/** Attachments that ask for it receive the occupancy of their channel. */
class OccupancyTest {

    private static final Duration INTERVAL = OccupancyNews.INTERVAL;

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
    void who_attaches_is_told_at_once_in_a_message_of_the_hubs_own() {
        stage.connect("ann").attach("x").enter("x", "");
        Player watcher = stage.connect("watcher").attach("x", Map.of("occupancy", "metrics"));
        List<ProtocolMessage> heard = watcher.take();
        assertThat(heard)
                .extracting(ProtocolMessage::action)
                .containsExactly(Action.ATTACHED, Action.SYNC, Action.MESSAGE);
        assertThat(heard.get(0).params()).containsExactly(Map.entry("occupancy", "metrics"));
        ProtocolMessage frame = heard.get(2);
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
    void two_occupancies_are_added_number_by_number() {
        assertThat(new Occupancy(1, 2, 3, 4, 5, 6).plus(new Occupancy(10, 20, 30, 40, 50, 60)))
                .isEqualTo(new Occupancy(11, 22, 33, 44, 55, 66));
    }

    @Test
    void changes_are_told_but_a_storm_of_them_once_per_interval() {
        Player watcher = watcher("x", Map.of("occupancy", "metrics"));
        watcher.take();
        for (int i = 0; i < 50; i++) {
            stage.connect("c" + i).attach("x");
            stage.pass(Duration.ofMillis(10));
        }
        assertThat(counts(watcher, "connections")).as("within the interval").isEmpty();
        stage.pass(INTERVAL);
        assertThat(counts(watcher, "connections")).containsExactly("51");
        stage.pass(Duration.ofMinutes(1));
        stage.connect("late").attach("x");
        stage.pass(Duration.ZERO);
        assertThat(counts(watcher, "connections"))
                .as("after a quiet time, at once")
                .containsExactly("52");
    }

    @Test
    void members_and_modes_count_too() {
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
    void a_connection_that_attaches_by_two_spellings_is_one_that_may_do_what_either_may() {
        Player watcher = watcher("x", Map.of("occupancy", "metrics"));
        watcher.take();
        stage.connect("ann")
                .attach("x", Map.of("modes", "publish"))
                .attach("[?rewind=1]x", Map.of("modes", "subscribe"));
        stage.pass(INTERVAL);
        assertThat(watcher.heard())
                .containsExactly("MESSAGE x '{\"metrics\":{\"connections\":2,\"publishers\":2,\"subscribers\":2,"
                        + "\"presenceConnections\":1,\"presenceMembers\":0,\"presenceSubscribers\":1}}'");
    }

    @Test
    void what_changes_and_changes_back_is_no_news() {
        Player watcher = watcher("x", Map.of("occupancy", "metrics"));
        stage.pass(INTERVAL);
        List<ProtocolMessage> first = watcher.take();
        ProtocolMessage before = first.get(first.size() - 1);
        stage.connect("a").attach("x");
        stage.pass(Duration.ZERO);
        ProtocolMessage news = watcher.takeOnly();
        assertThat(Lines.of(news)).contains("\"connections\":2,");
        assertThat(news.id()).isNotEqualTo(before.id());
        assertThat(news.channelSerial()).isGreaterThan(before.channelSerial());
        stage.connect("b").attach("x").close();
        stage.pass(INTERVAL.multipliedBy(3));
        assertThat(counts(watcher, "connections")).isEmpty();
    }

    @Test
    void one_metric_is_told_alone_and_only_when_it_changes() {
        Player watcher = watcher("[?occupancy=metrics.publishers]x", Map.of());
        assertThat(counts(watcher, "publishers")).containsExactly("1", "1");
        stage.connect("ann").attach("x", Map.of("modes", "subscribe"));
        stage.pass(INTERVAL.multipliedBy(2));
        assertThat(watcher.heard()).isEmpty();
        stage.connect("bob").attach("x");
        stage.pass(INTERVAL.multipliedBy(2));
        assertThat(watcher.heard())
                .containsExactly("MESSAGE [?occupancy=metrics.publishers]x '{\"metrics\":{\"publishers\":2}}'");
    }

    @Test
    void who_did_not_ask_or_cannot_hear_messages_is_not_told() {
        Player plain = stage.connect("plain").attach("x");
        Player deaf = stage.connect("deaf").attach("x", Map.of("occupancy", "metrics", "modes", "publish"));
        stage.connect("ann").attach("x");
        stage.pass(INTERVAL.multipliedBy(2));
        assertThat(plain.heard()).containsExactly("ATTACHED x");
        assertThat(deaf.heard()).containsExactly("ATTACHED x");
    }

    @Test
    void who_attaches_again_without_it_is_no_longer_told() {
        Player watcher = watcher("x", Map.of("occupancy", "metrics")).attach("x");
        watcher.take();
        stage.connect("ann").attach("x");
        stage.pass(INTERVAL.multipliedBy(2));
        assertThat(watcher.heard()).isEmpty();
    }

    @Test
    void it_is_in_no_history_and_moves_nobodys_place_in_it() {
        Player watcher = watcher("x", Map.of("occupancy", "metrics"));
        stage.connect("ann").publish("x", "1");
        stage.pass(INTERVAL);
        List<ProtocolMessage> heard = watcher.take();
        String serial = heard.get(heard.size() - 1).channelSerial();
        stage.connect("bob").publish("x", "2");
        watcher.drop();
        watcher.resume().take();
        watcher.attachFrom("x", serial);
        assertThat(watcher.heard()).containsExactly("ATTACHED x resumed backlog", "MESSAGE x '2'");
        assertThat(new Asker(stage).get("/channels/x/messages").each("data")).containsExactly("2", "1");
    }

    @Test
    void a_channel_nobody_watches_wakes_nobody() {
        stage.connect("ann").attach("x");
        Player watcher = watcher("y", Map.of("occupancy", "metrics"));
        watcher.detach("y");
        stage.pass(INTERVAL);
        long next = stage.hub.nextWakeNanos().orElseThrow() - stage.now().nanos();
        assertThat(next).isGreaterThan(INTERVAL.toNanos());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "all", "metrics.", "metrics.speakers"})
    void what_is_no_metric_fails_the_channel(String text) {
        Player ann = stage.connect("ann").attach("x", Map.of("occupancy", text));
        assertThat(ann.takeOnly().error().code()).isEqualTo(40000);
    }
}
