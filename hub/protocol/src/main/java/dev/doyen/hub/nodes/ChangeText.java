package dev.doyen.hub.nodes;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.hub.channel.Change;
import dev.doyen.hub.channel.Channel;
import dev.doyen.hub.channel.Connection;
import dev.doyen.hub.channel.PresenceFrame;
import dev.doyen.hub.channel.PresenceId;
import dev.doyen.hub.content.ClaimData;
import dev.doyen.hub.log.Proposal;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.Format;
import dev.doyen.hub.wire.FrameCodec;
import dev.doyen.hub.wire.MalformedFrameException;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.ProtocolMessage;
import dev.doyen.hub.wire.Refusal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes changes as log entries and reads them.
 *
 * <p>An entry starts with a JSON line that contains its kind. If a client sent the change, the frame follows as JSON. A
 * node fails if it cannot read an entry of a known kind, because the states of the nodes would diverge. A node skips an
 * entry of an unknown kind. So a later version may add a kind only for entries that change no channel.
 */
public final class ChangeText {

    private static final JsonMapper JSON = new JsonMapper();
    private static final FrameCodec CODEC = FrameCodec.ofWritten();

    private final HubSettings settings;

    /** Returns the channels and connections that an entry names, and creates missing ones. */
    interface Places {
        Channel channel(String name);

        Connection connection(String id, String node);
    }

    public ChangeText(HubSettings settings) {
        this.settings = settings;
    }

    /**
     * Returns the proposal for a change.
     *
     * @param number the number of this proposal among the proposals of the node
     */
    Proposal proposal(String node, long number, Change change) {
        Connection connection = change.connection();
        ObjectNode head = head(kind(change), node, number);
        ProtocolMessage frame = null;
        long msgSerial = -1;
        int messages = 0;
        List<String> ids = List.of();
        List<Change.Fence> fences = List.of();
        if (change instanceof Change.Published published) {
            frame = frame(published);
            msgSerial = published.msgSerial() == null ? -1 : published.msgSerial();
            messages = published.messages().size();
            ids = givenIds(published);
            fences = published.fences();
        } else if (change instanceof Change.Presented presented) {
            head.put("spelling", presented.frame().spelling());
            frame = frame(presented.frame());
            msgSerial = presented.frame().msgSerial();
            fences = presented.claims() == null ? List.of() : List.of(presented.claims());
        } else {
            head.put("channel", change.channel().name);
            head.put("connection", Objects.requireNonNull(connection).id);
            head.put("at", connection.node);
            if (change instanceof Change.Demoted demoted) {
                head.put("client", demoted.clientId())
                        .put("reason", demoted.reason())
                        .put("successor", demoted.successor());
            }
        }
        String text = head + "\n"
                + (frame == null ? "" : new String(CODEC.encode(frame, Format.JSON), StandardCharsets.UTF_8));
        return new Proposal(
                number,
                text,
                connection == null ? null : connection.id,
                connection == null || connection.node.isEmpty() ? node : connection.node,
                msgSerial,
                messages,
                change.channel().name,
                ids,
                fences.stream()
                        .map(fence -> new Proposal.Fence(fence.slot().toString(), fence.term()))
                        .toList());
    }

    /** Returns the proposal for an entry that has only a first line. The entry concerns no connection. */
    static Proposal proposal(JsonNode head) {
        return new Proposal(
                head.path("number").asLong(),
                head + "\n",
                null,
                head.path("node").asText(),
                -1,
                0,
                "",
                List.of(),
                List.of());
    }

    public static ObjectNode head(String kind, String node, long number) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("kind", kind)
                .put("node", node)
                .put("number", number);
    }

    /** Reads the first line of an entry. */
    public static JsonNode head(String entry) {
        try {
            // The parser stops at the end of the object and does not read the frame that follows.
            return JSON.readTree(entry);
        } catch (JsonProcessingException e) {
            throw unreadable(entry, e);
        }
    }

    /** Reads the change in an entry. Returns null if the kind of the entry is unknown or concerns no channel. */
    @Nullable
    Change change(JsonNode head, String entry, Places places) {
        String node = head.path("node").asText();
        switch (head.path("kind").asText()) {
            case "published" -> {
                ProtocolMessage frame = frame(entry);
                String connection = frame.connectionId();
                return new Change.Published(
                        places.channel(Objects.requireNonNull(frame.channel())),
                        connection == null ? null : places.connection(connection, node),
                        frame.msgSerial(),
                        Objects.requireNonNull(frame.id()),
                        messagesWithIds(frame),
                        List.of());
            }
            case "presented" -> {
                ProtocolMessage frame = frame(entry);
                Channel channel = places.channel(Objects.requireNonNull(frame.channel()));
                Connection connection = places.connection(Objects.requireNonNull(frame.connectionId()), node);
                var entries = new ArrayList<PresenceFrame.Entry>();
                for (PresenceMessage message : Objects.requireNonNull(frame.presence())) {
                    entries.add(entry(channel, connection, message));
                }
                long msgSerial = Objects.requireNonNull(frame.msgSerial());
                String spelling = head.path("spelling").asText();
                return new Change.Presented(new PresenceFrame(connection, channel, spelling, msgSerial, entries), null);
            }
            case "left" -> {
                return new Change.Left(places.channel(head.path("channel").asText()), connection(head, places));
            }
            case "demoted" -> {
                return new Change.Demoted(
                        places.channel(head.path("channel").asText()),
                        connection(head, places),
                        head.path("client").asText(),
                        head.path("reason").asText(),
                        head.path("successor").asText());
            }
            default -> {
                return null;
            }
        }
    }

    private static Connection connection(JsonNode head, Places places) {
        String at = head.path("at").asText();
        return places.connection(
                head.path("connection").asText(),
                at.isEmpty() ? head.path("node").asText() : at);
    }

    private PresenceFrame.Entry entry(Channel channel, Connection connection, PresenceMessage message) {
        boolean leaves = message.action() == PresenceAction.LEAVE;
        return new PresenceFrame.Entry(
                Objects.requireNonNull(message.clientId()),
                message,
                PresenceId.ofOwn(message.id(), connection),
                leaves ? null : claim(channel, message));
    }

    /** Returns the claim in presence data, or null if the data contains none. */
    @Nullable
    ClaimData claim(Channel channel, PresenceMessage message) {
        try {
            return ClaimData.read(message.data(), message.encoding(), channel.rule, settings)
                    .orElse(null);
        } catch (Refusal refusal) {
            // Another node has accepted this data, so the settings of that node must differ from those of this node.
            return null;
        }
    }

    private ProtocolMessage frame(String entry) {
        try {
            byte[] below = entry.substring(entry.indexOf('\n') + 1).getBytes(StandardCharsets.UTF_8);
            return CODEC.decode(below, Format.JSON);
        } catch (MalformedFrameException e) {
            throw unreadable(entry, e);
        }
    }

    /** Returns the messages of a frame, with the ids that the writer of the frame has omitted. */
    private static List<Message> messagesWithIds(ProtocolMessage frame) {
        var messages = new ArrayList<>(Objects.requireNonNull(frame.messages()));
        for (int i = 0; i < messages.size(); i++) {
            if (messages.get(i).id() == null) {
                messages.set(i, messages.get(i).withId(Message.idAt(i, Objects.requireNonNull(frame.id()))));
            }
        }
        return messages;
    }

    private static ProtocolMessage frame(Change.Published published) {
        Connection publisher = published.connection();
        return ProtocolMessage.builder(Action.MESSAGE)
                .id(published.idBase())
                .connectionId(publisher == null ? null : publisher.id)
                .channel(published.channel().name)
                .msgSerial(published.msgSerial())
                .messages(published.messages())
                .build();
    }

    private static ProtocolMessage frame(PresenceFrame frame) {
        return ProtocolMessage.builder(Action.PRESENCE)
                .connectionId(frame.connection().id)
                .channel(frame.channel().name)
                .msgSerial(frame.msgSerial())
                .presence(frame.entries().stream()
                        .map(entry -> {
                            PresenceMessage message = entry.message();
                            String id = entry.suppliedId()
                                    .map(supplied -> supplied.on(frame.connection()))
                                    .orElse(null);
                            return new PresenceMessage(
                                    message.action(),
                                    id,
                                    entry.clientId(),
                                    null,
                                    message.data(),
                                    message.encoding(),
                                    null,
                                    message.extras());
                        })
                        .toList())
                .build();
    }

    /**
     * Returns the message ids that the client chose. The hub's own ids start with the id of the frame and are unique.
     */
    private static List<String> givenIds(Change.Published published) {
        return published.messages().stream()
                .map(Message::id)
                .filter(Objects::nonNull)
                .filter(id -> !id.startsWith(published.idBase() + ":"))
                .toList();
    }

    private static String kind(Change change) {
        return change.getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    private static IllegalStateException unreadable(String entry, Exception cause) {
        String begins = entry.substring(0, Math.min(200, entry.length()));
        return new IllegalStateException("the hub's log has an entry that this version cannot read: " + begins, cause);
    }
}
