package dev.doyen.hub.nodes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.doyen.hub.channel.Channel;
import dev.doyen.hub.channel.Channels;
import dev.doyen.hub.channel.Connection;
import dev.doyen.hub.channel.Member;
import dev.doyen.hub.channel.PresenceId;
import dev.doyen.hub.content.Extras;
import dev.doyen.hub.history.PresenceLog;
import dev.doyen.hub.step.StepContext;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.Format;
import dev.doyen.hub.wire.FrameCodec;
import dev.doyen.hub.wire.MalformedFrameException;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.ProtocolMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Writes and reads the snapshot for a joining node: members, former holders, presence history and connection counts.
 *
 * <p>The log is truncated, so its remaining entries do not contain all of this state. The snapshot consists of lines.
 * The first line contains the living nodes and the connection counts. After that, each channel that has members,
 * former holders or presence history has one line of JSON. The frames of the channel are on the lines after its JSON.
 */
final class NodeSnapshot {

    private static final int MAX_PER_FRAME = 100;
    private static final JsonMapper JSON = new JsonMapper();
    private static final FrameCodec CODEC = FrameCodec.ofWritten();

    private final Channels channels;
    private final ConnectionMigration migration;
    private final OccupancyExchange occupancies;
    private final ChangeText text;

    NodeSnapshot(Channels channels, ConnectionMigration migration, OccupancyExchange occupancies, ChangeText text) {
        this.channels = channels;
        this.migration = migration;
        this.occupancies = occupancies;
        this.text = text;
    }

    String write(String self, Set<String> nodes) {
        var lines = new ArrayList<String>();
        var head = JsonNodeFactory.instance.objectNode();
        nodes.forEach(head.putArray("nodes")::add);
        var successors = head.putObject("successors");
        migration.successors().forEach(successors::put);
        head.set("counted", occupancies.written());
        lines.add(head.toString());
        for (Channel channel : channels.all()) {
            if (!channel.members.isEmpty()
                    || !channel.presenceLog.isEmpty()
                    || !channel.formerHolders.members().isEmpty()) {
                write(lines, self, channel);
            }
        }
        return String.join("\n", lines);
    }

    private static void write(List<String> lines, String self, Channel channel) {
        var head = JsonNodeFactory.instance
                .objectNode()
                .put("channel", channel.name)
                .put("millis", channel.presenceMillis())
                .put("hubMillis", channel.hubMadeMillis());
        List<PresenceLog.Entry> past = channel.presenceLog.entries();
        var serials = head.putArray("past");
        past.forEach(entry -> serials.add(entry.serial()));
        var formerHolders = head.putArray("formerHolders");
        for (Channel.MemberKey member : channel.formerHolders.members()) {
            formerHolders.addArray().add(member.connectionId()).add(member.clientId());
        }
        var members = head.putArray("members");
        for (Member member : channel.members.values()) {
            members.addArray()
                    .add(member.connection.node.isEmpty() ? self : member.connection.node)
                    .add(member.ownId.msgSerial())
                    .add(member.ownId.index())
                    .add(member.spelling());
        }
        lines.add(head.toString());
        past.forEach(entry -> lines.add(frame(entry.events())));
        var states = new ArrayList<PresenceMessage>();
        for (Member member : channel.members.values()) {
            states.add(member.event());
            if (states.size() == MAX_PER_FRAME) {
                lines.add(frame(states));
                states.clear();
            }
        }
        if (!states.isEmpty()) {
            lines.add(frame(states));
        }
    }

    /** Applies another node's snapshot. Returns the living nodes that the snapshot names. */
    List<String> read(StepContext step, String snapshot) {
        Iterator<String> lines = snapshot.lines().iterator();
        JsonNode head = tree(lines.next());
        for (Map.Entry<String, JsonNode> successor : head.path("successors").properties()) {
            migration.successors().put(successor.getKey(), successor.getValue().asText());
        }
        occupancies.read(step, head.path("counted"));
        while (lines.hasNext()) {
            JsonNode about = tree(lines.next());
            Channel channel = channels.ensure(step, about.path("channel").asText());
            channel.presenceTimes(
                    about.path("millis").asLong(), about.path("hubMillis").asLong());
            for (JsonNode member : about.path("formerHolders")) {
                channel.formerHolders.add(
                        member.path(0).asText(), member.path(1).asText());
            }
            for (JsonNode serial : about.path("past")) {
                List<PresenceMessage> events = presence(lines.next());
                step.recordDelay(
                        step.wallMillis() - Objects.requireNonNull(events.get(0).timestamp(), "events are dated"));
                channels.recordPresence(step, channel, serial.asText(), events);
            }
            var states = new ArrayList<PresenceMessage>();
            for (JsonNode member : about.path("members")) {
                if (states.isEmpty()) {
                    states.addAll(presence(lines.next()));
                }
                enter(channel, member, states.remove(0));
            }
            channels.settle(step, channel);
        }
        var nodes = new ArrayList<String>();
        head.path("nodes").forEach(node -> nodes.add(node.asText()));
        return nodes;
    }

    private void enter(Channel channel, JsonNode how, PresenceMessage state) {
        String clientId = Objects.requireNonNull(state.clientId());
        Connection connection = migration.resolve(
                Objects.requireNonNull(state.connectionId()), how.get(0).asText());
        var own = new PresenceId(how.get(1).asLong(), how.get(2).asInt());
        var member =
                new Member(channel, connection, clientId, state, own, how.get(3).asText());
        member.claim = Extras.term(state.extras()) == null ? null : text.claim(channel, state);
        channels.enter(member);
    }

    private static String frame(List<PresenceMessage> presence) {
        var frame = ProtocolMessage.builder(Action.PRESENCE).presence(presence).build();
        return new String(CODEC.encode(frame, Format.JSON), StandardCharsets.UTF_8);
    }

    private static List<PresenceMessage> presence(String line) {
        try {
            ProtocolMessage frame = CODEC.decode(line.getBytes(StandardCharsets.UTF_8), Format.JSON);
            return Objects.requireNonNull(frame.presence());
        } catch (MalformedFrameException e) {
            throw new IllegalStateException("another node's snapshot cannot be read", e);
        }
    }

    private static JsonNode tree(String line) {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("another node's snapshot cannot be read", e);
        }
    }
}
