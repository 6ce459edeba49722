package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.doyen.hub.channel.PresenceStorm;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.SlotStepDown;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.ProtocolMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Tests that the hub batches presence events: if many events arrive within an interval, the hub sends few frames. */
@Execution(ExecutionMode.CONCURRENT)
class PresenceStormTest {

    private final Stage stage = new Stage(HubSettings.builder()
            .maxMembersPerChannel(20_000)
            .maxConnections(40_000)
            .inboundRatePerSecond(100_000)
            .inboundBurst(100_000)
            .build());
    private final Player watcher = stage.connect("watcher").attach("x");

    PresenceStormTest() {
        watcher.take();
    }

    private List<Player> join(int count, String prefix) {
        var joined = new ArrayList<Player>();
        for (int i = 0; i < count; i++) {
            joined.add(stage.connect(prefix + i).enter("x", "d"));
        }
        return joined;
    }

    /** Returns the number of events in each PRESENCE frame, in order. */
    private static List<Integer> sizes(List<ProtocolMessage> frames) {
        return frames.stream()
                .filter(frame -> frame.action() == Action.PRESENCE)
                .map(frame -> frame.presence().size())
                .toList();
    }

    private static void assertSerialsRise(List<ProtocolMessage> frames) {
        var serials = frames.stream().map(ProtocolMessage::channelSerial).toList();
        assertThat(serials).isSorted().doesNotHaveDuplicates();
    }

    @Test
    void a_few_events_are_sent_at_once() {
        join(PresenceStorm.AT_ONCE, "m");
        assertThat(sizes(watcher.take())).hasSize(PresenceStorm.AT_ONCE).containsOnly(1);
        stage.pass(PresenceStorm.HOLD);
        join(PresenceStorm.AT_ONCE, "n");
        assertThat(sizes(watcher.take())).hasSize(PresenceStorm.AT_ONCE).containsOnly(1);
    }

    @Test
    void many_events_are_sent_in_one_batch_in_order() {
        join(PresenceStorm.AT_ONCE + 30, "m");
        List<ProtocolMessage> frames = new ArrayList<>(watcher.take());
        assertThat(sizes(frames)).hasSize(PresenceStorm.AT_ONCE);
        stage.pass(PresenceStorm.HOLD.minusMillis(1));
        assertThat(watcher.take()).isEmpty();
        stage.pass(Duration.ofMillis(1));
        frames.addAll(watcher.take());
        assertThat(sizes(frames).get(PresenceStorm.AT_ONCE)).isEqualTo(30);
        assertSerialsRise(frames);
        var names = frames.stream()
                .flatMap(frame -> frame.presence().stream())
                .map(PresenceMessage::clientId)
                .toList();
        for (int i = 0; i < names.size(); i++) {
            assertThat(names.get(i)).isEqualTo("m" + i);
        }
    }

    @Test
    void the_batch_interval_grows_with_the_subscribers() {
        listen(2_000);
        List<Player> joined = join(PresenceStorm.AT_ONCE + 5, "m");
        assertHeldFor(PresenceStorm.HOLD_EACH.multipliedBy(1 + 2_000 + joined.size()));
    }

    @Test
    void a_hub_that_is_behind_does_not_end_batching_early() {
        join(PresenceStorm.AT_ONCE + 5, "m");
        stage.pass(PresenceStorm.HOLD);
        watcher.take();
        // The hub is busy for two intervals. Then it first fires the due timer, and handles the new events after that.
        stage.passAsleep(PresenceStorm.HOLD.multipliedBy(2));
        join(3, "n");
        assertThat(sizes(watcher.take())).isEmpty();
        stage.pass(PresenceStorm.HOLD);
        assertThat(sizes(watcher.take())).containsExactly(3);
        stage.pass(PresenceStorm.HOLD);
        join(3, "o");
        assertThat(sizes(watcher.take())).containsExactly(1, 1, 1);
    }

    @Test
    void the_batch_interval_is_limited_to_a_second() {
        listen(30_000);
        join(PresenceStorm.AT_ONCE + 5, "m");
        assertHeldFor(PresenceStorm.MAX_HOLD);
    }

    private void listen(int count) {
        for (int i = 0; i < count; i++) {
            stage.open(Map.of("key", Stage.KEY, "heartbeats", "false")).attach("x");
        }
        watcher.take();
    }

    private void assertHeldFor(Duration moment) {
        watcher.take();
        stage.pass(moment.minusMillis(1));
        assertThat(watcher.take()).isEmpty();
        stage.pass(Duration.ofMillis(1));
        assertThat(sizes(watcher.take())).containsExactly(5);
    }

    @Test
    void a_joining_member_gets_its_own_event_at_once() {
        join(PresenceStorm.AT_ONCE, "m");
        Player late = stage.connect("late").attach("x");
        late.take();
        late.enter("x", "d");
        assertThat(late.received()).containsExactly("PRESENCE x enter:late'd'", "ACK #0");
        stage.pass(PresenceStorm.HOLD);
        assertThat(sizes(late.take())).containsExactly(1);
    }

    @Test
    void a_full_frame_is_sent_at_once() {
        join(PresenceStorm.AT_ONCE + 2 * PresenceStorm.MAX_HELD + 1, "m");
        assertThat(sizes(watcher.take()).subList(PresenceStorm.AT_ONCE, PresenceStorm.AT_ONCE + 2))
                .containsExactly(PresenceStorm.MAX_HELD, PresenceStorm.MAX_HELD);
        stage.pass(PresenceStorm.HOLD);
        assertThat(sizes(watcher.take())).containsExactly(1);
    }

    @Test
    void a_batch_frame_is_limited_in_bytes() {
        join(PresenceStorm.AT_ONCE, "m");
        watcher.take();
        String data = "d".repeat(40_000);
        for (int i = 0; i < 4; i++) {
            stage.connect("big" + i).enter("x", data);
        }
        assertThat(sizes(watcher.take())).containsExactly(4);
    }

    @Test
    void the_size_of_a_batch_frame_includes_client_ids_data_and_extras() {
        join(PresenceStorm.AT_ONCE, "m");
        watcher.take();
        var extras = JsonNodeFactory.instance.objectNode().put("a", "x".repeat(504));
        int data =
                PresenceStorm.MAX_HELD_BYTES / 4 - 256 - 200 - extras.toString().length();
        for (int i = 0; i < 4; i++) {
            assertThat(watcher.take()).isEmpty();
            Player big = stage.connect(Integer.toString(i).repeat(200));
            big.presence(
                    "x",
                    Player.message(PresenceAction.ENTER, null, "d".repeat(data)).withExtras(extras));
        }
        assertThat(sizes(watcher.take())).containsExactly(4);
    }

    @Test
    void a_message_is_sent_after_earlier_presence_events() {
        List<Player> members = join(PresenceStorm.AT_ONCE + 5, "m");
        watcher.take();
        members.get(0).publish("x", "hello");
        List<ProtocolMessage> frames = watcher.take();
        assertThat(frames).extracting(ProtocolMessage::action).containsExactly(Action.PRESENCE, Action.MESSAGE);
        assertThat(sizes(frames)).containsExactly(5);
        assertSerialsRise(frames);
    }

    @Test
    void events_of_a_claim_are_sent_at_once_after_earlier_events() {
        join(PresenceStorm.AT_ONCE + 5, "m");
        watcher.take();
        Player leader = stage.connect("leader").enter("x", "{\"role\":\"L\"}");
        stage.grant(1);
        List<ProtocolMessage> frames = new ArrayList<>(watcher.take());
        assertThat(sizes(frames)).containsExactly(5, 1);
        join(3, "n");
        stage.stepDown("x", new SlotStepDown("", Duration.ofSeconds(5), "an upgrade"));
        List<ProtocolMessage> after = watcher.take();
        assertThat(sizes(after)).containsExactly(3, 1);
        frames.addAll(after);
        assertSerialsRise(frames);
        assertThat(leader.take()).isNotEmpty();
    }

    @Test
    void a_leave_is_sent_at_once_after_its_enter() {
        List<Player> members = join(PresenceStorm.AT_ONCE + 2, "m");
        watcher.take();
        Player last = members.get(members.size() - 1);
        last.take();
        last.leave("x");
        assertThat(watcher.received()).containsExactly("PRESENCE x enter:m8'd' enter:m9'd'", "PRESENCE x leave:m9'd'");
        assertThat(last.received()).containsExactly("PRESENCE x leave:m9'd'", "ACK #1");
    }

    @Test
    void many_lost_members_are_sent_in_one_batch() {
        List<Player> members = join(100, "m");
        stage.pass(Duration.ofSeconds(1));
        watcher.take();
        members.forEach(Player::close);
        stage.pass(PresenceStorm.HOLD);
        assertThat(sizes(watcher.take())).hasSize(PresenceStorm.AT_ONCE + 1).contains(100 - PresenceStorm.AT_ONCE);
    }

    @Test
    void after_a_quiet_interval_the_next_event_is_sent_at_once() {
        join(100, "m");
        stage.pass(PresenceStorm.HOLD);
        watcher.take();
        join(1, "still");
        assertThat(watcher.take()).as("the events are still batched").isEmpty();
        stage.pass(PresenceStorm.HOLD.multipliedBy(2));
        watcher.take();
        join(1, "after");
        assertThat(sizes(watcher.take())).containsExactly(1);
    }

    @Test
    void an_attachment_during_a_batch_has_the_same_members() {
        List<Player> members = join(60, "m");
        Player late = stage.connect("late").attach("x");
        join(60, "n");
        members.get(40).leave("x");
        members.get(41).update("x", "changed");
        join(10, "o");
        stage.pass(Duration.ofSeconds(1));
        Map<String, String> seen = new LinkedHashMap<>();
        for (ProtocolMessage frame : late.take()) {
            if (frame.presence() != null) {
                for (PresenceMessage event : frame.presence()) {
                    if (event.action() == PresenceAction.LEAVE) {
                        seen.remove(event.clientId());
                    } else {
                        seen.put(event.clientId(), event.id());
                    }
                }
            }
        }
        assertThat(seen).hasSize(129).doesNotContainKey("m40");
        assertThat(stage.view("x").members()).isEqualTo(129);
    }

    @Test
    void the_loss_of_a_leader_is_sent_at_once_after_earlier_events() {
        Player leader = stage.connect("leader").enter("x", "{\"role\":\"L\"}");
        stage.grant(1);
        join(PresenceStorm.AT_ONCE + 5, "m");
        watcher.take();
        leader.close();
        List<ProtocolMessage> frames = watcher.take();
        assertThat(frames.stream().flatMap(frame -> frame.presence().stream()).map(PresenceMessage::clientId))
                .last()
                .isEqualTo("leader");
        assertSerialsRise(frames);
    }
}
