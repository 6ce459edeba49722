package dev.doyen.hub.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.event.Moment;
import dev.doyen.hub.NodesInMemory;
import dev.doyen.hub.Player;
import dev.doyen.hub.RestClient;
import dev.doyen.hub.auth.Access;
import dev.doyen.hub.channel.Change;
import dev.doyen.hub.channel.Channel;
import dev.doyen.hub.channel.Channels;
import dev.doyen.hub.channel.ConnectParams;
import dev.doyen.hub.channel.Connection;
import dev.doyen.hub.log.Proposal;
import dev.doyen.hub.quota.Usage;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.Claimant;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.step.Timers;
import dev.doyen.hub.wire.BodyCodec;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.Format;
import dev.doyen.hub.wire.FrameCodec;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.ProtocolMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that every node can read the log entries that another node has written. */
class ChangeTextTest {

    private static final String TALK = "talk";

    private final HubSettings settings = HubSettings.defaults();
    private final ChangeText text = new ChangeText(settings);
    private final Channel channel =
            new Channels(settings, new Timers()).ensure(new StepContext(new Moment(0, 0)), TALK);
    private final NodesInMemory cluster = new NodesInMemory(settings);

    private Connection connection(String id) {
        return new Connection(id, ConnectParams.ELSEWHERE, Access.NOBODY, Usage.UNCOUNTED, settings, 0);
    }

    private static Message message(String id) {
        return Message.of(null, Data.text("x")).withId(id);
    }

    @Test
    void a_proposal_contains_only_ids_of_the_sender() {
        var published = new Change.Published(
                channel, connection("c"), 7L, "c:7", List.of(message("c:7:0"), message("own")), List.of());
        Proposal proposal = text.proposal("node1", 3, published);
        assertThat(proposal.ids()).containsExactly("own");
        assertThat(proposal.number()).isEqualTo(3);
        assertThat(proposal.connectionId()).isEqualTo("c");
        assertThat(proposal.ownerNode()).isEqualTo("node1");
        assertThat(proposal.msgSerial()).isEqualTo(7);
        assertThat(proposal.messages()).isEqualTo(2);
    }

    @Test
    void the_messages_of_an_entry_have_the_ids_that_its_text_omits() {
        List<Message> messages = List.of(message("c:7:0"), message("own"), message("c:7:2"));
        var published = new Change.Published(channel, connection("c"), 7L, "c:7", messages, List.of());
        String entry = text.proposal("node1", 3, published).text();
        assertThat(entry).doesNotContain("c:7:0");
        Change read = text.change(ChangeText.head(entry), entry, new ChangeText.Places() {
            @Override
            public Channel channel(String name) {
                return channel;
            }

            @Override
            public Connection connection(String id, String atNode) {
                return Connection.elsewhere(id, atNode);
            }
        });
        assertThat(((Change.Published) read).messages()).isEqualTo(messages);
    }

    @Test
    void a_publish_by_request_has_no_connection_and_no_serial() {
        var published = new Change.Published(channel, null, null, "base", List.of(message("base:0")), List.of());
        Proposal proposal = text.proposal("node1", 3, published);
        assertThat(proposal.connectionId()).isNull();
        assertThat(proposal.ownerNode()).isEqualTo("node1");
        assertThat(proposal.msgSerial()).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource({"'',node1", "node2,node2"})
    void a_connection_is_at_the_writing_node_or_at_the_node_in_the_entry(String at, String node) {
        ObjectNode head = ChangeText.head("left", "node1", 3);
        head.put("channel", TALK).put("connection", "c").put("at", at);
        var lookups = new ArrayList<String>();
        Change change = text.change(head, head + "\n", new ChangeText.Places() {
            @Override
            public Channel channel(String name) {
                return channel;
            }

            @Override
            public Connection connection(String id, String atNode) {
                lookups.add(id + "@" + atNode);
                return Connection.elsewhere(id, atNode);
            }
        });
        assertThat(change).isInstanceOf(Change.Left.class);
        assertThat(lookups).containsExactly("c@" + node);
    }

    @Test
    void an_unreadable_entry_is_rejected_with_its_start() {
        String broken = ChangeText.head("published", "node1", 3) + "\n{";
        NodesInMemory.Node here = cluster.node();
        cluster.append(broken);
        assertThatThrownBy(here::step)
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the hub's log has an entry that this version cannot read: " + broken);
        String noHead = "x".repeat(201);
        assertThatThrownBy(() -> ChangeText.head(noHead))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageEndingWith(" cannot read: " + "x".repeat(200));
    }

    @Test
    void a_claim_that_one_node_ends_has_ended_on_all() {
        NodesInMemory.Node here = cluster.node();
        Player ben = cluster.node().stage.connect("ben").attach(TALK);
        Player ann = here.stage.connect("ann").enter(TALK, "leader");
        here.stage.grant(7);
        cluster.settle();
        ben.take();
        here.stage.lose(new Claimant(TALK, "ann", ann.connectionId), 7);
        cluster.settle();
        assertThat(ben.received()).containsExactly("PRESENCE talk update:ann''");
    }

    @Test
    void an_event_with_an_earlier_id_has_it_on_all_nodes() {
        NodesInMemory.Node here = cluster.node();
        Player ben = cluster.node().stage.connect("ben").attach(TALK);
        Player ann = here.stage.connect("ann").enter(TALK, "1").leave(TALK);
        cluster.settle();
        ben.take();
        String id = ann.connectionId + ":0:0";
        ann.presence(TALK, Player.message(PresenceAction.ENTER, null, "1").withId(id));
        cluster.settle();
        assertThat(ben.takeOnly().presence().get(0).id()).isEqualTo(id);
    }

    /** Returns a message with deep extras, and a message with a very long name in its extras. */
    static Stream<Message> extremes() {
        var deep = JsonNodeFactory.instance.objectNode();
        ObjectNode innermost = deep;
        for (int i = 0; i < 61; i++) {
            innermost = innermost.putObject("in");
        }
        return Stream.of(
                Message.of(null, Data.text("x")).withExtras(deep),
                Message.of(null, Data.text("x"))
                        .withExtras(JsonNodeFactory.instance.objectNode().put("n".repeat(60_000), 1)));
    }

    @ParameterizedTest
    @MethodSource("extremes")
    void every_node_can_read_every_valid_publish(Message message) {
        publishesEverywhere(List.of(message));
    }

    @Test
    void every_node_can_read_a_publish_that_is_six_times_as_long_in_the_log() {
        String escaped = "\u0001".repeat(200);
        publishesEverywhere(Stream.iterate(0, i -> i < 1_000, i -> i + 1)
                .map(i -> message(escaped + i).withData(Data.text(""), escaped))
                .toList());
    }

    @Test
    void a_joining_node_can_read_every_valid_member() {
        cluster.node();
        PresenceMessage member = Player.message(PresenceAction.ENTER, "ann", "x")
                .withExtras(JsonNodeFactory.instance.objectNode().put("n".repeat(60_000), 1));
        ProtocolMessage frame = Player.presenceFrame(TALK, 0, member).toBuilder()
                .connectionId("c")
                .build();
        cluster.append(ChangeText.head("presented", "another", 1).put("spelling", TALK) + "\n"
                + new String(FrameCodec.ofWritten().encode(frame, Format.JSON), StandardCharsets.UTF_8));
        cluster.settle();
        assertThat(cluster.node().stage.view(TALK).members()).isEqualTo(1);
    }

    private void publishesEverywhere(List<Message> messages) {
        NodesInMemory.Node here = cluster.node();
        NodesInMemory.Node there = cluster.node();
        byte[] body = new BodyCodec(settings.maxFrameBytes()).messages(messages, Format.MSGPACK);
        String target = "/channels/" + TALK + "/messages";
        var answer = new RestClient(here.stage)
                .with("Content-Type", "application/x-msgpack")
                .begin("POST", target, body);
        cluster.settle();
        assertThat(answer.get().status()).isEqualTo(201);
        String published = new RestClient(here.stage).get(target).text();
        assertThat(published).contains("\"data\"");
        assertThat(new RestClient(there.stage).get(target).text()).isEqualTo(published);
    }
}
