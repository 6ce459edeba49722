package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.ProtocolMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests that the hub sends a large presence set only as fast as the client's socket takes the pages. */
class SyncPacingTest {

    /** A page contains three members of this size. The hub sends three such pages before it waits for the socket. */
    private static final String LARGE = "x".repeat(60_000);

    private final Stage stage = new Stage(
            HubSettings.builder().maxMessageBytes(65_536).maxFrameBytes(400_000).build());

    private Player reader(int members, String... channels) {
        for (String channel : channels) {
            for (int i = 0; i < members; i++) {
                stage.connect(channel + "-" + i).enter(channel, LARGE);
            }
        }
        Player reader = stage.connect("reader");
        stage.flushesAtOnce = false;
        return reader;
    }

    private static List<ProtocolMessage> pages(Player player) {
        return player.take().stream()
                .filter(frame -> frame.action() == Action.SYNC)
                .toList();
    }

    private static List<String> clients(List<ProtocolMessage> pages) {
        return pages.stream()
                .flatMap(page -> page.presence().stream())
                .map(PresenceMessage::clientId)
                .toList();
    }

    private static List<String> cursors(List<ProtocolMessage> pages) {
        return pages.stream()
                .map(page -> page.channelSerial().substring(page.channelSerial().indexOf(':')))
                .toList();
    }

    @Test
    void further_pages_follow_after_the_socket_has_taken_the_earlier_pages() {
        Player reader = reader(14, "a").attach("a");
        List<ProtocolMessage> first = pages(reader);
        assertThat(cursors(first)).containsExactly(":1", ":2", ":3");
        assertThat(stage.flushes).hasSize(1);

        stage.flush();
        List<ProtocolMessage> rest = pages(reader);
        assertThat(cursors(rest)).containsExactly(":4", ":");
        assertThat(stage.flushes).isEmpty();

        var all = new ArrayList<>(clients(first));
        all.addAll(clients(rest));
        assertThat(all).hasSize(14).doesNotHaveDuplicates();
    }

    @Test
    void many_small_syncs_share_the_limit_of_the_connection() {
        Player reader = reader(4, "a", "b", "c");
        reader.attach("a").attach("b").attach("c");
        assertThat(pages(reader)).extracting(ProtocolMessage::channel).containsExactly("a", "a", "b");
        stage.flush();
        assertThat(pages(reader)).extracting(ProtocolMessage::channel).containsExactly("b", "c", "c");
    }

    @Test
    void a_page_contains_the_members_as_they_are_when_it_is_sent() {
        var members = new ArrayList<Player>();
        for (int i = 0; i < 14; i++) {
            members.add(stage.connect("a-" + i).enter("a", LARGE));
        }
        Player reader = stage.connect("reader");
        stage.flushesAtOnce = false;
        reader.attach("a");
        assertThat(clients(pages(reader))).doesNotContain("a-9", "a-10", "a-13");

        members.get(13).leave("a");
        members.get(10).update("a", "new");
        stage.connect("late").enter("a", "late");
        List<PresenceAction> events = new ArrayList<>();
        stage.pass(Duration.ofSeconds(1));
        reader.take().forEach(frame -> frame.presence().forEach(each -> events.add(each.action())));
        assertThat(events).containsExactly(PresenceAction.LEAVE, PresenceAction.UPDATE, PresenceAction.ENTER);

        stage.flush();
        List<ProtocolMessage> rest = pages(reader);
        assertThat(clients(rest)).containsExactly("a-9", "a-10", "a-11", "a-12");
        assertThat(cursors(rest)).endsWith(":");
        assertThat(rest.get(0).presence().get(1).data().size()).isEqualTo(3);
    }

    @Test
    void a_new_sync_replaces_the_rest_of_the_earlier_one() {
        Player reader = reader(14, "a").attach("a");
        pages(reader);
        reader.send(ProtocolMessage.builder(Action.SYNC).channel("a").build());
        assertThat(pages(reader)).isEmpty();

        stage.flush();
        stage.flush();
        List<ProtocolMessage> pages = pages(reader);
        assertThat(clients(pages)).hasSize(14);
        assertThat(pages).allMatch(page -> page.channelSerial().startsWith("s1:"));
    }

    @Test
    void a_client_that_detaches_or_loses_its_socket_receives_no_further_pages() {
        Player reader = reader(14, "a").attach("a");
        pages(reader);
        reader.detach("a");
        stage.flush();
        assertThat(pages(reader)).isEmpty();

        reader.attach("a");
        pages(reader);
        reader.drop();
        stage.flush();
        reader.resume();
        reader.attach("a", Map.of());
        assertThat(cursors(pages(reader))).startsWith(":1");
        stage.flush();
        assertThat(cursors(pages(reader))).endsWith(":");
    }

    @Test
    void a_small_presence_set_waits_for_no_flush() {
        stage.connect("ann").enter("a", "small");
        stage.flushesAtOnce = false;
        Player reader = stage.connect("reader").attach("a");
        assertThat(cursors(pages(reader))).containsExactly(":");
        assertThat(stage.flushes).isEmpty();
    }
}
