package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.doyen.hub.channel.ChannelView;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.HubEffect;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.ProtocolMessage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Tests MESSAGE frames, their answers, and the limits of publishing. */
class PublishTest {

    private final Stage stage = new Stage();

    @Test
    void a_message_reaches_every_subscriber_in_one_shared_frame_and_then_its_ack() {
        Player ann = stage.connect("ann").attach("x");
        Player bob = stage.connect("bob").attach("x");
        stage.effects.clear();
        ann.publish("x", Message.of("greeting", Data.text("hi")));

        assertThat(stage.effects).hasSize(2);
        assertThat(stage.effects.get(0)).isInstanceOfSatisfying(HubEffect.FanOut.class, fanOut -> {
            assertThat(fanOut.sessions()).containsExactly(ann.session, bob.session);
            ProtocolMessage frame = fanOut.message();
            assertThat(frame.id()).isEqualTo(ann.connectionId + ":0");
            assertThat(frame.connectionId()).isEqualTo(ann.connectionId);
            assertThat(frame.channel()).isEqualTo("x");
            assertThat(frame.timestamp()).isEqualTo(Stage.START_MILLIS);
            Message message = frame.messages().get(0);
            assertThat(message.id()).isEqualTo(ann.connectionId + ":0:0");
            assertThat(message.name()).isEqualTo("greeting");
            assertThat(message.clientId()).isEqualTo("ann");
            assertThat(message.serial()).isEqualTo(frame.channelSerial() + ":000");
        });
        assertThat(stage.effects.get(1)).isInstanceOfSatisfying(HubEffect.Send.class, send -> {
            ProtocolMessage ack = send.message();
            assertThat(ack.action()).isEqualTo(Action.ACK);
            assertThat(ack.msgSerial()).isZero();
            assertThat(ack.count()).isEqualTo(1);
            assertThat(ack.res()).hasSize(1);
            assertThat(ack.res().get(0).serials()).hasSize(1);
        });
    }

    @Test
    void an_ack_counts_frames_and_has_a_serial_per_message() {
        Player ann = stage.connect("ann");
        ann.publish("x", Message.of(null, Data.text("1")), Message.of(null, Data.text("2")));
        ProtocolMessage ack = ann.takeOnly();
        assertThat(ack.count()).isEqualTo(1);
        assertThat(ack.res().get(0).serials()).hasSize(2).doesNotHaveDuplicates();
    }

    @Test
    void a_client_can_publish_without_an_attachment() {
        Player bob = stage.connect("bob").attach("x");
        bob.take();
        stage.connect("ann").publish("x", "hi");
        assertThat(bob.received()).containsExactly("MESSAGE x 'hi'");
    }

    @Test
    void a_missing_serial_is_zero() {
        Player ann = stage.connect("ann");
        ann.send(ProtocolMessage.builder(Action.MESSAGE)
                .channel("x")
                .messages(List.of(Message.of(null, Data.text("1"))))
                .build());
        assertThat(ann.received()).containsExactly("ACK #0");
    }

    @Test
    void a_connection_publishes_as_its_client_and_a_wildcard_as_any() {
        Player ann = stage.connect("ann");
        Message asBob = Message.of(null, Data.text("hi")).withClientId("bob");
        ann.publish("x", asBob).publish("x", asBob.withClientId("ann"));
        assertThat(ann.received())
                .containsExactly(
                        "NACK #0 40012/400 the connection has the client id \"ann\", not \"bob\"; leave clientId out of"
                                + " messages, or connect as that client",
                        "ACK #1");
        Player any = stage.open(Map.of("key", Stage.KEY)).attach("x");
        any.take();
        any.publish("x", asBob, asBob.withClientId(null)).publish("x", asBob.withClientId("*"));
        List<ProtocolMessage> received = any.take();
        assertThat(received.get(0).messages()).extracting(Message::clientId).containsExactly("bob", null);
        assertThat(received.get(2).error().code()).isEqualTo(40012);
    }

    @Test
    void a_publish_above_the_size_limit_is_rejected_as_a_whole() {
        Player bob = stage.connect("bob").attach("x");
        bob.take();
        Player ann = stage.connect("ann");
        ann.publish("x", Message.of(null, Data.text("x".repeat(65_536 - 3))));
        ann.publish("x", Message.of(null, Data.text("x".repeat(65_536 - 2))));
        Message half = Message.of(null, Data.bytes(new byte[40_000]));
        ann.publish("x", half, half);
        assertThat(ann.received())
                .containsExactly(
                        "ACK #0",
                        "NACK #1 40009/400 the publish has 65537 bytes of name, data, client id and extras; at most"
                                + " 65536 are allowed",
                        "NACK #2 40009/400 the publish has 80006 bytes of name, data, client id and extras; at most"
                                + " 65536 are allowed");
        assertThat(bob.take()).hasSize(1);
    }

    @Test
    void a_wildcard_can_use_only_valid_client_ids() {
        Player any = stage.open(Map.of("key", Stage.KEY));
        any.take();
        Message plain = Message.of(null, Data.text("hi"));
        any.publish("x", plain.withClientId("a\nb")).publish("x", plain.withClientId(""));
        assertThat(any.received())
                .containsExactly(
                        "NACK #0 40012/400 the client id has a control character at position 1; remove it",
                        "NACK #1 40012/400 the client id is empty; leave it out, or name the client");
    }

    @Test
    void name_data_client_id_and_extras_share_a_limit() {
        var small = new Stage(HubSettings.builder().maxMessageBytes(1_024).build());
        var extras = JsonNodeFactory.instance.objectNode().put("a", "x".repeat(100));
        int rest =
                1_024 - "greeting".length() - "ann".length() - extras.toString().length();
        Player ann = small.connect("ann");
        ann.publish("x", Message.of("greeting", Data.text("x".repeat(rest))).withExtras(extras));
        ann.publish("x", Message.of("greeting", Data.text("x".repeat(rest + 1))).withExtras(extras));
        assertThat(ann.received())
                .containsExactly(
                        "ACK #0",
                        "NACK #1 40009/400 the publish has 1025 bytes of name, data, client id and extras; at most"
                                + " 1024 are allowed");
    }

    @Test
    void a_channel_of_a_rejected_publish_is_removed() {
        Message message = Message.of(null, Data.text("1")).withId("a");
        assertThat(stage.connect("ann").publish("x", message, message).received())
                .containsExactly("NACK #0 40031/400 the message id \"a\" comes twice in a publish");
        assertThat(stage.hub.channels()).hasSize(1);
        stage.pass(HubSettings.defaults().connectionStateTtl());
        assertThat(stage.hub.channels()).isEmpty();
    }

    @Test
    void a_message_id_of_the_maximum_length_is_accepted() {
        Message message = Message.of(null, Data.text("1")).withId("x".repeat(255));
        assertThat(stage.connect("ann").publish("x", message).received()).containsExactly("ACK #0");
    }

    @Test
    void a_message_id_is_published_once() {
        Player bob = stage.connect("bob").attach("x");
        bob.take();
        Message message = Message.of(null, Data.text("hi")).withId("mine:0");
        Player ann = stage.connect("ann").publish("x", message);
        ProtocolMessage first = ann.takeOnly();
        ann.publish("x", message);
        assertThat(ann.takeOnly().res()).isEqualTo(first.res());
        Player again = stage.connect("ann").publish("x", message);
        assertThat(again.takeOnly().res()).isEqualTo(first.res());
        again.publish("y", message);
        assertThat(again.received()).as("another channel accepts the same id").containsExactly("ACK #1");
        assertThat(bob.received()).containsExactly("MESSAGE x 'hi'");
    }

    @Test
    void repeated_ids_in_a_frame_are_rejected() {
        Player ann = stage.connect("ann");
        Message one = Message.of(null, Data.text("1")).withId("a");
        ann.publish("x", one, one).publish("x", one).publish("x", one, one.withId("b"));
        assertThat(ann.received())
                .containsExactly(
                        "NACK #0 40031/400 the message id \"a\" comes twice in a publish",
                        "ACK #1",
                        "NACK #2 40031/400 1 of 2 messages were published before; repeat all of them unchanged, or use new ids");
    }

    @Test
    void invalid_messages_are_rejected_with_a_sentence() {
        Player ann = stage.connect("ann");
        Message plain = Message.of(null, Data.text("1"));
        ann.publish("x");
        ann.publish("x", plain.withId(""));
        ann.publish("x", plain.withId("x".repeat(256)));
        ann.publish("x", plain.withData(Data.text(""), "x".repeat(256)));
        ann.publish("x", plain.withExtras(JsonNodeFactory.instance.arrayNode()));
        var extras = JsonNodeFactory.instance.objectNode();
        extras.put("headers", 7);
        ann.publish("x", plain.withExtras(extras));
        ann.publish("x", new Message(null, null, Data.NONE, null, null, null, null, null, 2, null));
        ann.send(ProtocolMessage.builder(Action.ANNOTATION)
                .channel("x")
                .msgSerial(ann.nextSerial++)
                .build());
        assertThat(ann.received())
                .containsExactly(
                        "NACK #0 40000/400 there are no messages to publish",
                        "NACK #1 40031/400 the message id has 0 characters; give 1 to 255",
                        "NACK #2 40031/400 the message id has 256 characters; give 1 to 255",
                        "NACK #3 40000/400 the encoding has 256 characters; at most 255 are allowed",
                        "NACK #4 40000/400 extras must be an object",
                        "NACK #5 40000/400 extras.headers must be an object",
                        "NACK #6 40000/400 the message action is 2; this hub only creates messages, action 0",
                        "NACK #7 40000/400 this hub has no ANNOTATION frames");
    }

    @Test
    void a_connection_above_its_rate_is_rejected_until_it_slows_down() {
        Player ann = stage.connect("ann");
        for (int i = 0; i < 251; i++) {
            ann.publish("x", "m");
        }
        List<String> received = ann.received();
        assertThat(received.subList(0, 250)).allMatch(line -> line.startsWith("ACK"));
        assertThat(received.get(250))
                .isEqualTo(
                        "NACK #250 42911/429 the connection sends too many messages; at most 50 messages a second, and 250 at"
                                + " once, are allowed");
        stage.pass(Duration.ofMillis(100));
        for (int i = 0; i < 6; i++) {
            ann.publish("x", "m");
        }
        assertThat(ann.received().stream().filter(line -> line.startsWith("ACK")))
                .hasSize(5);
    }

    @Test
    void messages_are_counted_not_frames() {
        Player ann = stage.connect("ann");
        Message[] many = IntStream.range(0, 251)
                .mapToObj(i -> Message.of(null, Data.NONE))
                .toArray(Message[]::new);
        ann.publish("x", many);
        assertThat(ann.takeOnly().error().code()).isEqualTo(42911);
    }

    @Test
    void a_flood_of_other_frames_ends_the_socket_but_not_the_connection() {
        Player ann = stage.connect("ann");
        for (int i = 0; i < 1_001; i++) {
            ann.send(ProtocolMessage.of(Action.HEARTBEAT));
        }
        assertThat(ann.received()).last().asString().startsWith("DISCONNECTED 42911/429");
        assertThat(ann.open).isFalse();
        String id = ann.connectionId;
        ann.resume();
        assertThat(ann.connectionId).isEqualTo(id);
    }

    @Test
    void history_is_limited_by_count_and_by_bytes() {
        var small = new Stage(HubSettings.builder()
                .historyCount(3)
                .historyBytes(100)
                .maxMessageBytes(100)
                .build());
        Player bob = small.connect("bob");
        for (int i = 0; i < 5; i++) {
            bob.publish("count", Integer.toString(i));
        }
        bob.publish("bytes", "x".repeat(60)).publish("bytes", "y".repeat(60));
        assertThat(small.connect("a").attach("count", Map.of("rewind", "9")).received())
                .containsExactly(
                        "ATTACHED count backlog", "MESSAGE count '2'", "MESSAGE count '3'", "MESSAGE count '4'");
        assertThat(small.connect("b").attach("bytes", Map.of("rewind", "9")).received())
                .hasSize(2);
    }

    @Test
    void history_of_the_hub_is_limited_and_idle_channels_are_trimmed_first() {
        var small = new Stage(HubSettings.builder()
                .historyBytes(100)
                .maxMessageBytes(100)
                .historyBytesInAll(150)
                .build());
        Player bob = small.connect("bob").attach("used");
        bob.publish("used", "x".repeat(60)).publish("idle", "y".repeat(60)).publish("third", "z".repeat(60));
        assertThat(small.hub.channels()).extracting(ChannelView::name).containsExactly("used", "third");
        bob.attach("third").publish("used", "w".repeat(60)).attach("fourth").publish("fourth", "v".repeat(60));
        bob.take();
        assertThat(small.connect("a").attach("fourth", Map.of("rewind", "9")).received())
                .containsExactly("ATTACHED fourth");
    }
}
