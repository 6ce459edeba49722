package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.hub.channel.ChannelView;
import dev.doyen.hub.channel.MemberView;
import dev.doyen.hub.history.ChannelSerials;
import dev.doyen.hub.log.LogPosition;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.settings.Slot;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.Flags;
import dev.doyen.hub.wire.ProtocolMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the names, attachments, modes, continuity, rewind and removal of channels. The class is long because of its
 * tables of names.
 */
class ChannelsTest {

    private final Stage stage = new Stage();

    @ParameterizedTest
    @ValueSource(
            strings = {"", ":x", ",x", " x", "a\nb", "[", "[x", "[meta]x", "[]", "[?rewind=1]", "[?a=b]:x", "[][x]"})
    void an_invalid_name_fails_only_its_channel(String name) {
        Player ann = stage.connect("ann").attach(name);
        ProtocolMessage error = ann.takeOnly();
        assertThat(error.action()).isEqualTo(Action.ERROR);
        assertThat(error.channel()).isEqualTo(name);
        assertThat(error.error().code()).isEqualTo(40010);
        assertThat(ann.open).isTrue();
        ann.publish(name, "x").enter(name, "x");
        assertThat(ann.take())
                .allSatisfy(nack -> assertThat(nack.error().code()).isEqualTo(40010));
        ann.detach(name);
        assertThat(ann.takeOnly().action()).isEqualTo(Action.DETACHED);
        assertThat(stage.hub.channels()).isEmpty();
    }

    @Test
    void names_have_a_limit() {
        Player ann = stage.connect("ann").attach("x".repeat(255)).attach("x".repeat(256));
        assertThat(ann.take()).extracting(ProtocolMessage::action).containsExactly(Action.ATTACHED, Action.ERROR);
        ann.attach("[?" + "x".repeat(506) + "]y");
        assertThat(ann.takeOnly().action()).isEqualTo(Action.ATTACHED);
        ann.attach("[?" + "x".repeat(507) + "]y");
        assertThat(ann.takeOnly().error())
                .isEqualTo(new ErrorInfo(
                        40010, 400, "the channel name with its qualifier has 511 characters; at most 510 are allowed"));
    }

    @Test
    void an_attach_without_a_channel_is_rejected() {
        Player ann = stage.connect("ann").send(ProtocolMessage.of(Action.ATTACH));
        assertThat(ann.received()).containsExactly("ERROR  40010/400 the channel name is empty");
    }

    @Test
    void attached_contains_a_serial_and_the_granted_modes() {
        ProtocolMessage attached = stage.connect("ann").attach("x").takeOnly();
        assertThat(attached.channelSerial()).matches("[0-9]{14}-[0-9]{3}@[A-Za-z0-9_-]+");
        assertThat(attached.flagBits())
                .isEqualTo(Flags.PRESENCE
                        | Flags.PUBLISH
                        | Flags.SUBSCRIBE
                        | Flags.PRESENCE_SUBSCRIBE
                        | Flags.ANNOTATION_PUBLISH);
        assertThat(attached.params()).isNull();
        assertThat(attached.error()).isNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "subscribe|0|262144",
                "SUBSCRIBE, publish|0|393216",
                "subscribe,unknown|131072|262144",
                "|131072|131072",
                "|2228224|131072",
            })
    void modes_come_from_params_then_flags_and_only_supported_ones_are_granted(String param, int flags, int granted) {
        Map<String, String> params = param == null ? Map.of() : Map.of("modes", param);
        Player ann = stage.connect("ann");
        ann.send(ProtocolMessage.builder(Action.ATTACH)
                .channel("x")
                .params(params)
                .flags(flags)
                .build());
        ProtocolMessage attached = ann.takeOnly();
        assertThat(attached.flagBits()).isEqualTo(granted);
        assertThat(attached.params()).isEqualTo(params.isEmpty() ? null : params);
    }

    @Test
    void an_attach_without_a_granted_mode_fails() {
        Player ann = stage.connect("ann").attach("x", Map.of("modes", "object_publish"));
        assertThat(ann.received())
                .singleElement()
                .asString()
                .startsWith("ERROR x 40160/401 none of the requested channel modes");
        ann.attach("y", Map.of("modes", ""));
        assertThat(ann.received()).singleElement().asString().startsWith("ERROR y 40160/401");
    }

    @Test
    void a_mode_that_was_not_requested_is_missing() {
        Player ann = stage.connect("ann").attach("x", Map.of("modes", "subscribe"));
        ann.take();
        ann.publish("x", "hi").enter("x", "here");
        assertThat(ann.received())
                .containsExactly(
                        "NACK #0 40165/401 the channel \"x\" was attached without the mode publish",
                        "NACK #1 40165/401 the channel \"x\" was attached without the mode presence");
    }

    @Test
    void only_known_params_are_echoed() {
        ProtocolMessage attached = stage.connect("ann")
                .attach("x", Map.of("rewind", "1", "rewinds", "2"))
                .takeOnly();
        assertThat(attached.params()).isEqualTo(Map.of("rewind", "1"));
    }

    @Test
    void a_client_that_accepts_deltas_gets_whole_messages() {
        Player ann = stage.connect("ann").attach("x", Map.of("delta", "vcdiff"));
        assertThat(ann.takeOnly().params()).isEqualTo(Map.of("delta", "vcdiff"));
        stage.connect("bob").publish("x", "one message").publish("x", "one message more");
        assertThat(ann.received()).containsExactly("MESSAGE x 'one message'", "MESSAGE x 'one message more'");

        ann.attach("y", Map.of("delta", "bsdiff"));
        assertThat(ann.received())
                .containsExactly("ERROR y 40000/400 delta is \"bsdiff\"; give vcdiff, or leave delta out");
    }

    @Test
    void a_repeated_attach_is_resumed_and_applies_new_modes() {
        Player ann = stage.connect("ann").attach("x");
        ann.take();
        ann.attach("x", Map.of("modes", "publish"));
        ProtocolMessage attached = ann.takeOnly();
        assertThat(attached.flagBits()).isEqualTo(Flags.PUBLISH | Flags.RESUMED);
        stage.connect("bob").publish("x", "hi");
        assertThat(ann.received()).isEmpty();
    }

    @Test
    void a_failed_attach_of_an_attached_channel_detaches_it() {
        Player ann = stage.connect("ann").attach("x").enter("x", "here");
        Player bob = stage.connect("bob").attach("x");
        ann.take();
        bob.take();
        ann.attach("x", Map.of("rewind", "yesterday"));
        assertThat(ann.received()).singleElement().asString().startsWith("ERROR x 40000/400 rewind is \"yesterday\"");
        assertThat(bob.received()).containsExactly("PRESENCE x leave:ann'here'");
    }

    @Test
    void detach_is_answered_after_the_own_members_have_left() {
        Player ann = stage.connect("ann").attach("x").enter("x", "here");
        Player bob = stage.connect("bob").attach("x");
        ann.take();
        bob.take();
        ann.detach("x").detach("x").detach("never");
        assertThat(ann.received()).containsExactly("DETACHED x", "DETACHED x", "DETACHED never");
        assertThat(bob.received()).containsExactly("PRESENCE x leave:ann'here'");
    }

    @Test
    void a_connection_has_a_limited_number_of_attachments() {
        var small =
                new Stage(HubSettings.builder().maxAttachmentsPerConnection(2).build());
        Player ann = small.connect("ann").attach("a").attach("b").attach("c");
        assertThat(ann.received())
                .containsExactly(
                        "ATTACHED a",
                        "ATTACHED b",
                        "ERROR c 90010/400 the connection is attached to 2 channels, its limit; detach from one first");
    }

    @Test
    void a_qualified_name_is_the_same_channel_and_is_echoed() {
        Player ann = stage.connect("ann").attach("[?rewind=1]x").attach("x");
        Player bob = stage.connect("bob").attach("x");
        ann.take();
        bob.take();
        bob.publish("x", "hi").enter("x", "here");
        assertThat(ann.received())
                .containsExactly(
                        "MESSAGE x 'hi'",
                        "MESSAGE [?rewind=1]x 'hi'",
                        "PRESENCE x enter:bob'here'",
                        "PRESENCE [?rewind=1]x enter:bob'here'");
        ann.enter("[?rewind=1]x", "me").detach("x");
        assertThat(stage.view("x").members())
                .as("the connection is still attached by the other name")
                .isEqualTo(2);
        ann.detach("[?rewind=1]x");
        assertThat(stage.view("x").members()).isEqualTo(1);
    }

    @Test
    void re_attaching_with_a_serial_replays_exactly_what_was_missed() {
        Player bob = stage.connect("bob");
        Player ann = stage.connect("ann").attach("x");
        bob.publish("x", "1");
        String serial = ann.take().get(1).channelSerial();
        ann.drop();
        bob.publish("x", "2").enter("x", "b").publish("x", "3");
        ann.resume();
        ann.take();
        ann.attachFrom("x", serial);
        List<ProtocolMessage> frames = ann.take();
        assertThat(frames.stream().map(Lines::of))
                .containsExactly(
                        "ATTACHED x resumed backlog presence",
                        "MESSAGE x '2'",
                        "MESSAGE x '3'",
                        "SYNC x present:bob'b'");
        assertThat(frames.get(0).channelSerial()).isEqualTo(serial);
        assertThat(frames.get(2).channelSerial()).isGreaterThan(frames.get(1).channelSerial());
    }

    @Test
    void serials_of_presence_and_of_quiet_channels_also_continue() {
        Player ann = stage.connect("ann").attach("x");
        String quiet = ann.takeOnly().channelSerial();
        ann.drop();
        ann.resume();
        ann.take();
        stage.pass(Duration.ofSeconds(90));
        ann.take();
        ann.attachFrom("x", quiet);
        assertThat(ann.received()).containsExactly("ATTACHED x resumed");
        ann.enter("x", "me");
        String presence = ann.take().get(0).channelSerial();
        ann.drop();
        ann.resume();
        ann.take();
        ann.attachFrom("x", presence);
        assertThat(ann.received()).containsExactly("ATTACHED x resumed presence", "SYNC x present:ann'me'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nonsense", "00001700000000000-000@other", "@", "zzz", ":"})
    void an_unknown_serial_loses_continuity(String serial) {
        Player ann = stage.connect("ann").attachFrom("x", serial);
        assertThat(ann.received()).singleElement().asString().startsWith("ATTACHED x 90003/400 messages on \"x\" may");
    }

    @Test
    void a_serial_whose_messages_were_removed_loses_continuity() {
        Player bob = stage.connect("bob");
        Player ann = stage.connect("ann").attach("x");
        String serial = ann.takeOnly().channelSerial();
        bob.publish("x", "1");
        String one = ann.takeOnly().channelSerial();
        ann.drop();
        bob.publish("x", "2");
        stage.pass(Duration.ofMinutes(2));
        Player late = stage.connect("late").attachFrom("x", serial);
        assertThat(late.received()).singleElement().asString().startsWith("ATTACHED x 90003/400");
        late.detach("x").take();
        late.attachFrom("x", one);
        assertThat(late.received()).containsExactly("ATTACHED x resumed backlog", "MESSAGE x '2'");
    }

    @Test
    void own_messages_are_not_replayed_without_echo() {
        Player ann = stage.open(Map.of("key", Stage.KEY, "clientId", "ann", "echo", "false"));
        ann.take();
        ann.publish("x", "mine");
        stage.connect("bob").publish("x", "his");
        ann.take();
        ann.attach("x", Map.of("rewind", "5"));
        assertThat(ann.received()).containsExactly("ATTACHED x backlog", "MESSAGE x 'his'");
    }

    @Test
    void rewind_by_count_sends_the_last_messages_after_attached() {
        stage.connect("bob").publish("x", "1").publish("x", "2").publish("x", "3");
        Player ann = stage.connect("ann").attach("x", Map.of("rewind", "2"));
        assertThat(ann.received()).containsExactly("ATTACHED x backlog", "MESSAGE x '2'", "MESSAGE x '3'");
        Player carl = stage.connect("carl").attach("[?rewind=1]x");
        assertThat(carl.received()).containsExactly("ATTACHED [?rewind=1]x backlog", "MESSAGE [?rewind=1]x '3'");
    }

    @Test
    void rewind_counts_messages_not_frames() {
        stage.connect("bob")
                .publish("x", "1")
                .publish(
                        "x",
                        dev.doyen.hub.wire.Message.of(null, dev.doyen.hub.wire.Data.text("2")),
                        dev.doyen.hub.wire.Message.of(null, dev.doyen.hub.wire.Data.text("3")));
        assertThat(stage.connect("ann").attach("x", Map.of("rewind", "1")).received())
                .containsExactly("ATTACHED x backlog", "MESSAGE x '3'");
    }

    @Test
    void rewind_by_time_sends_recent_messages_up_to_a_limit() {
        Player bob = stage.connect("bob").publish("x", "1");
        stage.pass(Duration.ofSeconds(20));
        bob.publish("x", "2").publish("x", "3");
        assertThat(stage.connect("a").attach("x", Map.of("rewind", "15s")).received())
                .containsExactly("ATTACHED x backlog", "MESSAGE x '2'", "MESSAGE x '3'");
        assertThat(stage.connect("b").attach("x", Map.of("rewind", "2m")).received())
                .hasSize(4);
        assertThat(stage.connect("e").attach("x", Map.of("rewind", "20s")).received())
                .as("messages of exactly that age are included")
                .hasSize(4);
        assertThat(stage.connect("c")
                        .attach("x", Map.of("rewind", "2m", "rewindLimit", "1"))
                        .received())
                .containsExactly("ATTACHED x backlog", "MESSAGE x '3'");
        assertThat(stage.connect("d").attach("x", Map.of("rewind", "0")).received())
                .containsExactly("ATTACHED x");
    }

    @Test
    void rewind_by_minutes_sends_messages_of_these_minutes() {
        stage.connect("bob").publish("x", "1").publish("x", "2");
        stage.pass(Duration.ofSeconds(90));
        assertThat(stage.connect("a").attach("x", Map.of("rewind", "2m")).received())
                .containsExactly("ATTACHED x backlog", "MESSAGE x '1'", "MESSAGE x '2'");
        assertThat(stage.connect("b").attach("x", Map.of("rewind", "1m")).received())
                .containsExactly("ATTACHED x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "-1", "1h", "", "1.5", "9999999", "s"})
    void an_invalid_rewind_fails_the_channel(String rewind) {
        assertThat(stage.connect("a").attach("x", Map.of("rewind", rewind)).received())
                .singleElement()
                .asString()
                .startsWith("ERROR x 40000/400 rewind is ");
    }

    @Test
    void rewind_is_ignored_when_an_attachment_continues() {
        Player bob = stage.connect("bob").publish("x", "1");
        Player ann = stage.connect("ann").attach("x", Map.of("rewind", "1"));
        String serial = ann.take().get(1).channelSerial();
        ann.drop();
        ann.resume();
        ann.take();
        ann.send(ProtocolMessage.builder(Action.ATTACH)
                .channel("x")
                .channelSerial(serial)
                .params(Map.of("rewind", "1"))
                .build());
        assertThat(ann.received()).containsExactly("ATTACHED x resumed");
        bob.send(ProtocolMessage.builder(Action.ATTACH)
                .channel("x")
                .flags(Flags.ATTACH_RESUME)
                .params(Map.of("rewind", "1"))
                .build());
        assertThat(bob.received()).contains("ATTACHED x");
    }

    @Test
    void the_last_message_is_available_to_a_late_client_for_a_day() {
        stage.connect("bob").publish("x", "1").publish("x", "2").close();
        stage.pass(Duration.ofHours(23));
        assertThat(stage.connect("ann").attach("x", Map.of("rewind", "10")).received())
                .containsExactly("ATTACHED x backlog", "MESSAGE x '2'");
    }

    @Test
    void an_unused_channel_without_history_is_removed() {
        Player ann = stage.connect("ann").attach("quiet");
        ann.publish("loud", "1");
        ann.close();
        assertThat(stage.hub.channels()).extracting(ChannelView::name).containsExactly("quiet", "loud");
        stage.pass(Duration.ofMinutes(3));
        assertThat(stage.hub.channels()).extracting(ChannelView::name).containsExactly("loud");
        stage.pass(Duration.ofDays(1));
        assertThat(stage.hub.channels()).isEmpty();
        assertThat(stage.hub.nextWakeNanos()).as("no timer remains").isEmpty();
    }

    @Test
    void a_channel_in_use_is_not_removed() {
        Player ann = stage.connect("ann").attach("x");
        ann.detach("x");
        stage.pass(Duration.ofMinutes(1));
        ann.enter("x", "here");
        stage.pass(Duration.ofDays(2));
        assertThat(stage.view("x").members()).isEqualTo(1);
        ann.attach("x");
        stage.pass(Duration.ofDays(2));
        assertThat(stage.view("x").attachments()).isEqualTo(1);
    }

    @Test
    void channels_are_limited_and_idle_ones_are_removed() {
        var small = new Stage(HubSettings.builder().maxChannels(2).build());
        Player ann = small.connect("ann").attach("a").attach("b").attach("c");
        assertThat(ann.take().get(2).error().message())
                .isEqualTo("the hub has 2 channels in use, its limit; try again later");
        ann.publish("c", "x").enter("c", "x");
        assertThat(ann.take())
                .allSatisfy(nack -> assertThat(nack.error().code()).isEqualTo(50003));
        ann.detach("a").attach("c");
        assertThat(ann.received()).containsExactly("DETACHED a", "ATTACHED c");
        assertThat(small.hub.channels()).extracting(ChannelView::name).containsExactly("b", "c");
    }

    @Test
    void serials_rise_even_if_the_wall_clock_is_set_back() {
        Player ann = stage.connect("ann").attach("x");
        ann.take();
        ann.publish("x", "1");
        String first = ann.take().get(0).channelSerial();
        stage.setWall(1_000);
        ann.publish("x", "2");
        assertThat(ann.take().get(0).channelSerial()).isGreaterThan(first);
    }

    @Test
    void a_thousand_serials_in_a_millisecond_are_ordered() {
        var serials = new ChannelSerials("s", 5);
        String last = serials.last();
        for (int i = 0; i < 2_500; i++) {
            String next = serials.next(5);
            assertThat(next).isGreaterThan(last).hasSize(20);
            last = next;
        }
        assertThat(last).as("the serial is as close to the clock as possible").isEqualTo("00000000000007-500@s");
    }

    /**
     * Tests positions whose number has many digits. If the clock of Redis is set back, Redis uses the last millisecond
     * again and increments only the number.
     */
    @Test
    void serials_of_log_positions_are_ordered_even_if_the_clock_is_set_back() {
        var read = new AtomicReference<>(new LogPosition(5, 0));
        var serials = new ChannelSerials("s", read.get(), read::get);
        String start = serials.last();
        String before = start;
        for (var position : List.of(
                new LogPosition(5, 999),
                new LogPosition(5, 1_000),
                new LogPosition(5, 1_001),
                new LogPosition(5, 9_999),
                new LogPosition(5, 10_000),
                new LogPosition(5, Long.MAX_VALUE),
                new LogPosition(6, 0))) {
            read.set(position);
            String serial = new ChannelSerials("s", position, () -> position).last();
            assertThat(serial).isGreaterThan(before);
            assertThat(serials.isWithin(serial, before)).isTrue();
            assertThat(serials.isWithin(before, start)).isTrue();
            before = serial;
        }
    }

    @Test
    void channels_are_listed_with_their_counts_and_leader() {
        Player ann = stage.connect("ann").attach("x").enter("x", "leader");
        stage.grant(7);
        stage.connect("bob").attach("x");
        assertThat(stage.view("x"))
                .isEqualTo(new ChannelView(
                        "x", 2, 1, List.of(Slot.LEADER), Map.of(Slot.LEADER, new dev.doyen.event.Leader("ann", 7))));
        ann.leave("x");
        assertThat(stage.view("x").leader()).isEmpty();
    }

    @Test
    void the_requested_number_of_members_is_listed_with_the_leader() {
        Player ann = stage.connect("ann").enter("x", "leader");
        stage.grant(7);
        Player bob = stage.connect("bob").enter("x", "here");
        assertThat(stage.hub.members("x", 2))
                .containsExactly(
                        new MemberView("ann", ann.connectionId, true), new MemberView("bob", bob.connectionId, false));
        assertThat(stage.hub.members("x", 1)).extracting(MemberView::clientId).containsExactly("ann");
        assertThat(stage.hub.members("never", 2)).isEmpty();
    }
}
