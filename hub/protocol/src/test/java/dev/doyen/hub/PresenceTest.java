package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.doyen.hub.channel.MemberView;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.step.HubEffect;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.Flags;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.ProtocolMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * Tests how members enter, update, leave and sync, and how SDKs enter again. The class is long because the cases belong
 * together.
 */
class PresenceTest {

    private final Stage stage = new Stage();

    @Test
    void enter_update_and_leave_reach_all_with_their_own_ids() {
        Player bob = stage.connect("bob").attach("x");
        Player ann = stage.connect("ann").attach("x");
        bob.take();
        ann.take();
        ann.enter("x", "1").update("x", "2").leave("x");
        assertThat(ann.received())
                .containsExactly(
                        "PRESENCE x enter:ann'1'",
                        "ACK #0",
                        "PRESENCE x update:ann'2'",
                        "ACK #1",
                        "PRESENCE x leave:ann'2'",
                        "ACK #2");
        List<ProtocolMessage> events = bob.take();
        assertThat(events).hasSize(3);
        for (int i = 0; i < 3; i++) {
            ProtocolMessage event = events.get(i);
            assertThat(event.id()).isEqualTo(ann.connectionId + ":" + i);
            assertThat(event.connectionId()).isEqualTo(ann.connectionId);
            assertThat(event.channelSerial()).isNotNull();
            PresenceMessage member = event.presence().get(0);
            assertThat(member.id()).isEqualTo(ann.connectionId + ":" + i + ":0");
            assertThat(member.connectionId()).isEqualTo(ann.connectionId);
            assertThat(member.timestamp()).isEqualTo(Stage.START_MILLIS);
        }
    }

    @Test
    void one_event_is_one_shared_frame() {
        Player bob = stage.connect("bob").attach("x");
        Player ann = stage.connect("ann");
        stage.effects.clear();
        ann.enter("x", "1");
        assertThat(stage.effects.get(0))
                .isInstanceOfSatisfying(
                        HubEffect.FanOut.class,
                        fanOut -> assertThat(fanOut.sessions()).containsExactly(bob.session, ann.session));
    }

    @Test
    void the_publisher_gets_its_own_events_without_the_mode() {
        Player ann = stage.connect("ann").enter("x", "early").attach("x", Map.of("modes", "presence"));
        ann.update("x", "later");
        assertThat(ann.received())
                .containsExactly(
                        "PRESENCE x enter:ann'early'",
                        "ACK #0",
                        "ATTACHED x",
                        "PRESENCE x update:ann'later'",
                        "ACK #1");
    }

    @Test
    void a_second_enter_is_an_update_and_a_first_update_is_an_enter() {
        Player ann = stage.connect("ann").update("x", "1").enter("x", "2").presence("x", PresenceAction.PRESENT, "3");
        assertThat(ann.received().stream().filter(line -> line.startsWith("PRESENCE")))
                .containsExactly("PRESENCE x enter:ann'1'", "PRESENCE x update:ann'2'", "PRESENCE x update:ann'3'");
    }

    @Test
    void a_leave_of_an_absent_member_is_acknowledged_without_an_event() {
        Player bob = stage.connect("bob").attach("x");
        bob.take();
        Player ann = stage.connect("ann").leave("x");
        assertThat(ann.received()).containsExactly("ACK #0");
        assertThat(bob.received()).isEmpty();
    }

    @Test
    void a_leave_contains_its_data() {
        Player ann = stage.connect("ann").enter("x", "1").presence("x", PresenceAction.LEAVE, "bye");
        assertThat(ann.received()).contains("PRESENCE x leave:ann'bye'");
    }

    @Test
    void a_wildcard_connection_must_name_the_member() {
        Player any = stage.open(Map.of("key", Stage.KEY));
        any.take();
        any.enter("x", "1");
        assertThat(any.received())
                .containsExactly(
                        "NACK #0 40012/400 presence needs a client id; connect with one, or name one in the message");
    }

    @Test
    void a_wildcard_connection_enters_several_members_with_one_frame() {
        Player any = stage.open(Map.of("key", Stage.KEY));
        any.take();
        any.presence(
                "x", Player.message(PresenceAction.ENTER, "a", "1"), Player.message(PresenceAction.ENTER, "b", "2"));
        List<ProtocolMessage> received = any.take();
        assertThat(received.get(0).presence())
                .extracting(PresenceMessage::id)
                .containsExactly(any.connectionId + ":0:0", any.connectionId + ":0:1");
        assertThat(stage.view("x").members()).isEqualTo(2);
        any.drop();
        stage.pass(Duration.ofSeconds(15));
        assertThat(stage.view("x").members()).isZero();
    }

    @Test
    void the_same_client_on_two_connections_is_two_members() {
        Player one = stage.connect("ann").enter("x", "1");
        stage.connect("ann").enter("x", "2");
        assertThat(stage.view("x").members()).isEqualTo(2);
        one.leave("x");
        assertThat(stage.view("x").members()).isEqualTo(1);
    }

    @Test
    void invalid_presence_is_rejected_with_a_sentence_and_not_delivered() {
        Player bob = stage.connect("bob").attach("x");
        bob.take();
        Player ann = stage.connect("ann");
        ann.presence("x");
        ann.presence("x", PresenceAction.ABSENT, "");
        ann.presence("x", Player.message(PresenceAction.ENTER, "eve", "1"));
        ann.presence("x", PresenceAction.ENTER, "x".repeat(65_534));
        ann.presence("x", Player.message(PresenceAction.ENTER, null, "{\"role\":"));
        ann.presence(
                "x",
                Player.message(PresenceAction.ENTER, null, "ok"),
                Player.message(PresenceAction.ENTER, null, "x").withExtras(JsonNodeFactory.instance.textNode("x")));
        assertThat(ann.take())
                .extracting(nack -> nack.error().code())
                .containsExactly(40000, 40000, 40012, 40009, 40000, 40000);
        assertThat(bob.received()).isEmpty();
    }

    @Test
    void client_id_data_and_extras_share_a_limit() {
        var small = new Stage(HubSettings.builder().maxMessageBytes(1_024).build());
        var extras = JsonNodeFactory.instance.objectNode().put("a", "x".repeat(100));
        int rest = 1_024 - "ann".length() - extras.toString().length();
        Player ann = small.connect("ann");
        ann.presence(
                "x",
                Player.message(PresenceAction.ENTER, null, "x".repeat(rest)).withExtras(extras));
        assertThat(ann.received()).last().isEqualTo("ACK #0");
        ann.presence(
                "x",
                Player.message(PresenceAction.UPDATE, null, "x".repeat(rest + 1))
                        .withExtras(extras));
        assertThat(ann.received())
                .containsExactly("NACK #1 40009/400 the PRESENCE frame has 1025 bytes of client id, data and extras; at"
                        + " most 1024 are allowed");
    }

    @Test
    void an_encoding_has_a_limited_length() {
        Player ann = stage.connect("ann");
        Data data = Data.text("1");
        ann.presence("x", PresenceMessage.of(PresenceAction.ENTER, null, data).withData(data, "e".repeat(255)));
        assertThat(ann.received()).last().isEqualTo("ACK #0");
        ann.presence("x", PresenceMessage.of(PresenceAction.UPDATE, null, data).withData(data, "e".repeat(256)));
        assertThat(ann.takeOnly().error().code()).isEqualTo(40000);
    }

    @Test
    void a_channel_of_a_rejected_frame_is_removed() {
        Player any = stage.open(Map.of("key", Stage.KEY));
        any.take();
        any.presence(
                "x",
                Player.message(PresenceAction.ENTER, "a", "leader"),
                Player.message(PresenceAction.ENTER, "b", "leader"));
        assertThat(any.takeOnly().error().message()).startsWith("the frame claims for 2 members");
        assertThat(stage.hub.channels()).hasSize(1);
        stage.pass(HubSettings.defaults().connectionStateTtl());
        assertThat(stage.hub.channels()).isEmpty();
    }

    @Test
    void a_channel_has_a_limited_number_of_members() {
        var small = new Stage(HubSettings.builder().maxMembersPerChannel(2).build());
        small.connect("a").enter("x", "1");
        Player bob = small.connect("b").enter("x", "1");
        Player carl = small.connect("c").enter("x", "1");
        assertThat(carl.received())
                .containsExactly("NACK #0 91003/400 channel \"x\" has 2 members; at most 2 may be present");
        bob.take();
        bob.update("x", "2").leave("x");
        assertThat(bob.received()).contains("ACK #1", "ACK #2");
        carl.enter("x", "1");
        assertThat(carl.received()).contains("ACK #1");
    }

    @Test
    void an_attachment_gets_the_members_with_their_ids_and_times() {
        Player ann = stage.connect("ann").enter("x", "1");
        PresenceMessage entered = ann.take().get(0).presence().get(0);
        stage.pass(Duration.ofSeconds(5));
        Player bob = stage.connect("bob").attach("x");
        List<ProtocolMessage> received = bob.take();
        assertThat(received.stream().map(Lines::of)).containsExactly("ATTACHED x presence", "SYNC x present:ann'1'");
        assertThat(received.get(1).channelSerial()).matches("[\\w-]+:");
        assertThat(received.get(1).presence()).containsExactly(entered.withAction(PresenceAction.PRESENT));
    }

    @Test
    void an_empty_channel_has_no_presence_flag_and_no_sync() {
        assertThat(stage.connect("ann").attach("x").received()).containsExactly("ATTACHED x");
    }

    @Test
    void without_the_mode_no_presence_is_sent() {
        stage.connect("ann").enter("x", "1");
        Player bob = stage.connect("bob").attach("x", Map.of("modes", "subscribe"));
        stage.connect("carl").enter("x", "1");
        assertThat(bob.received()).containsExactly("ATTACHED x");
        bob.send(ProtocolMessage.builder(Action.SYNC).channel("x").build());
        assertThat(bob.received()).isEmpty();
    }

    @Test
    void many_members_are_sent_in_pages_and_the_last_cursor_is_empty() {
        Player any = stage.open(Map.of("key", Stage.KEY));
        for (int i = 0; i < 200; i++) {
            any.presence("x", Player.message(PresenceAction.ENTER, "m" + i, "d"));
        }
        List<ProtocolMessage> received = stage.connect("bob").attach("x").take();
        assertThat(received).hasSize(3);
        assertThat(received.get(1).channelSerial()).matches("[\\w-]+:1");
        assertThat(received.get(2).channelSerial()).matches("[\\w-]+:");
        assertThat(received.get(1).presence()).hasSize(100);
        assertThat(received.get(2).presence()).hasSize(100);
    }

    @Test
    void pages_fit_into_a_frame_with_any_data() {
        Player any = stage.open(Map.of("key", Stage.KEY));
        for (int i = 0; i < 20; i++) {
            any.presence("x", Player.message(PresenceAction.ENTER, "m" + i, "d".repeat(60_000)));
        }
        List<ProtocolMessage> received = stage.connect("bob").attach("x").take();
        assertThat(received).hasSize(6);
        assertThat(received.stream().skip(1))
                .allSatisfy(page -> assertThat(page.presence()).hasSize(4));
    }

    @Test
    void a_page_uses_half_of_a_frame_for_data_and_extras() {
        var small = new Stage(HubSettings.builder()
                .maxMessageBytes(8_192)
                .maxFrameBytes(16_384)
                .build());
        Player any = small.open(Map.of("key", Stage.KEY));
        var extras = JsonNodeFactory.instance.objectNode().put("a", "x".repeat(504));
        assertThat(extras.toString()).hasSize(512);
        for (int i = 0; i < 16; i++) {
            any.presence("bare", Player.message(PresenceAction.ENTER, "m" + i, ""));
            any.presence(
                    "full",
                    Player.message(PresenceAction.ENTER, "m" + i, "d".repeat(512))
                            .withExtras(extras));
        }
        assertThat(pageSizes(small, "bare")).containsExactly(8, 8);
        assertThat(pageSizes(small, "full")).containsExactly(4, 4, 4, 4);
    }

    private static List<Integer> pageSizes(Stage stage, String channel) {
        return stage.connect("bob").attach(channel).take().stream()
                .filter(frame -> frame.action() == Action.SYNC)
                .map(page -> page.presence().size())
                .toList();
    }

    @Test
    void a_client_can_request_a_sync_of_an_empty_channel() {
        Player bob = stage.connect("bob").attach("x");
        bob.take();
        bob.send(ProtocolMessage.builder(Action.SYNC).channel("x").build());
        ProtocolMessage sync = bob.takeOnly();
        assertThat(sync.presence()).isEmpty();
        assertThat(sync.channelSerial()).endsWith(":");
        bob.send(ProtocolMessage.builder(Action.SYNC).channel("other").build());
        assertThat(bob.received()).isEmpty();
    }

    @Test
    void entering_again_with_the_known_id_is_acknowledged_without_an_event() {
        Player ann = stage.connect("ann").attach("x").enter("x", "1");
        String id = ann.take().get(1).presence().get(0).id();
        Player bob = stage.connect("bob").attach("x");
        bob.take();
        ann.drop();
        ann.resume();
        ann.attach("x");
        ann.take();
        ann.presence("x", Player.message(PresenceAction.ENTER, null, "1").withId(id));
        assertThat(ann.received()).containsExactly("ACK #1");
        assertThat(bob.received()).isEmpty();
        Player carl = stage.connect("carl").attach("x");
        assertThat(carl.take().get(1).presence().get(0).id())
                .as("the id of the member does not change")
                .isEqualTo(id);
    }

    @Test
    void entering_again_with_an_older_id_does_not_restore_old_data() {
        Player ann = stage.connect("ann").enter("x", "1").update("x", "2");
        ann.presence("x", Player.message(PresenceAction.ENTER, null, "1").withId(ann.connectionId + ":0:0"));
        assertThat(ann.received().stream().filter(line -> line.startsWith("PRESENCE")))
                .hasSize(2);
        assertThat(stage.connect("bob").attach("x").received()).contains("SYNC x present:ann'2'");
    }

    @Test
    void entering_again_after_removal_is_a_normal_enter_with_the_old_id() {
        Player bob = stage.connect("bob").attach("x");
        Player ann = stage.connect("ann").enter("x", "1");
        ann.drop();
        stage.pass(Duration.ofSeconds(20));
        bob.take();
        ann.resume();
        String old = ann.connectionId + ":0:0";
        ann.presence("x", Player.message(PresenceAction.ENTER, null, "1").withId(old));
        ProtocolMessage event = bob.takeOnly();
        assertThat(Lines.of(event)).isEqualTo("PRESENCE x enter:ann'1'");
        assertThat(event.presence().get(0).id()).isEqualTo(old);
    }

    @Test
    void an_id_of_a_former_connection_or_from_the_future_is_not_used() {
        Player ann = stage.connect("ann");
        for (String id : List.of("former:0:0", ann.connectionId + ":99:0", ann.connectionId + ":x", "")) {
            ann.take();
            long serial = ann.nextSerial;
            ann.presence("x", Player.message(PresenceAction.ENTER, null, "1").withId(id))
                    .leave("x");
            assertThat(ann.take().get(0).presence().get(0).id()).isEqualTo(ann.connectionId + ":" + serial + ":0");
        }
    }

    @Test
    void a_leave_by_the_hub_has_a_later_id_than_earlier_events() {
        Player bob = stage.connect("bob").attach("x");
        Player ann = stage.connect("ann").enter("x", "1");
        long entered = bob.take().get(1).presence().get(0).timestamp();
        ann.close();
        PresenceMessage leave = bob.takeOnly().presence().get(0);
        assertThat(leave.id())
                .startsWith("synth-")
                .doesNotStartWith(ann.connectionId)
                .endsWith(":0:0");
        assertThat(leave.timestamp()).isGreaterThan(entered);
        assertThat(leave.connectionId()).isEqualTo(ann.connectionId);
        stage.setWall(1);
        stage.connect("carl").enter("x", "2");
        assertThat(bob.takeOnly().presence().get(0).timestamp()).isGreaterThan(leave.timestamp());
    }

    @Test
    void members_of_a_closing_connection_leave_in_one_frame_per_channel() {
        Player bob = stage.connect("bob").attach("x").attach("y");
        Player any = stage.open(Map.of("key", Stage.KEY));
        any.presence(
                "x", Player.message(PresenceAction.ENTER, "a", "1"), Player.message(PresenceAction.ENTER, "b", "2"));
        any.presence("y", Player.message(PresenceAction.ENTER, "a", "3"));
        bob.take();
        any.close();
        assertThat(bob.received()).containsExactly("PRESENCE x leave:a'1' leave:b'2'", "PRESENCE y leave:a'3'");
    }

    @Test
    void binary_presence_data_is_encoded_for_each_format() {
        Player pack = stage.open(Map.of("key", Stage.KEY, "clientId", "p", "format", "msgpack"));
        Player json = stage.connect("j").attach("x");
        json.take();
        pack.presence("x", PresenceMessage.of(PresenceAction.ENTER, null, Data.bytes(new byte[] {1, 2})));
        PresenceMessage arrived = json.takeOnly().presence().get(0);
        assertThat(arrived.data()).isEqualTo(Data.bytes(new byte[] {1, 2}));
        assertThat(arrived.encoding()).isNull();
    }

    @Test
    void presence_mode_bits_are_checked_per_attachment() {
        Player bob = stage.connect("bob");
        bob.send(ProtocolMessage.builder(Action.ATTACH)
                .channel("x")
                .flags(Flags.PRESENCE_SUBSCRIBE)
                .build());
        bob.take();
        bob.enter("x", "1");
        assertThat(bob.takeOnly().error().code()).isEqualTo(40165);
    }

    @Test
    void presence_events_count_towards_the_rate_like_messages() {
        var slow = new Stage(
                HubSettings.builder().inboundRatePerSecond(1).inboundBurst(2).build());
        Player any = slow.open(Map.of("key", Stage.KEY));
        any.take();
        any.presence(
                "x",
                Player.message(PresenceAction.ENTER, "a", ""),
                Player.message(PresenceAction.ENTER, "b", ""),
                Player.message(PresenceAction.ENTER, "c", ""));
        assertThat(any.received())
                .containsExactly(
                        "NACK #0 42911/429 the connection sends too many messages; at most 1 messages a second, and 2 at"
                                + " once, are allowed");
        any.presence("x", Player.message(PresenceAction.ENTER, "a", ""), Player.message(PresenceAction.ENTER, "b", ""));
        assertThat(any.received()).contains("ACK #1");
    }

    @Test
    void a_leave_has_the_encoding_of_its_data() {
        Player ann = stage.connect("ann").enter("x", "{\"a\":1}").leave("x").enter("x", "{\"a\":1}");
        ann.presence("x", PresenceAction.LEAVE, "bye");
        assertThat(ann.take().stream()
                        .filter(frame -> frame.action() == Action.PRESENCE)
                        .map(frame -> frame.presence().get(0).encoding()))
                .containsExactly("json", "json", "json", null);
    }

    @Test
    void an_event_of_the_hub_uses_the_last_channel_name_of_the_client() {
        Player ann = stage.connect("ann").enter("x", "leader");
        stage.grant(7);
        ann.update("[?rewind=1]x", "leader");
        ann.take();
        stage.lose(new Claimant("x", "ann", ann.connectionId), 7);
        assertThat(ann.received()).containsExactly("PRESENCE [?rewind=1]x update:ann''");
    }

    @Test
    void the_hub_returns_the_first_members() {
        stage.connect("ann").enter("x", "1");
        stage.connect("bob").enter("x", "2");
        assertThat(stage.hub.members("x", 1)).extracting(MemberView::clientId).containsExactly("ann");
        assertThat(stage.hub.members("x", 2)).hasSize(2);
        assertThat(stage.hub.members("y", 2)).isEmpty();
    }
}
