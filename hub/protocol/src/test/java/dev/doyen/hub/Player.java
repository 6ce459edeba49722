package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.doyen.hub.connection.ConnectRequest;
import dev.doyen.hub.step.SessionId;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.Format;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.ProtocolMessage;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A test client of the hub in a {@link Stage}. The client stores the frames that it receives. */
public final class Player {

    SessionId session = new SessionId(0);
    Format format = Format.JSON;
    public String connectionId = "";
    String key = "";
    long nextSerial;
    boolean open;

    private Stage stage;
    private final Set<SessionId> deserted = new HashSet<>();
    final Map<String, String> params;
    private final String address;
    private final List<ProtocolMessage> received = new ArrayList<>();

    Player(Stage stage, Map<String, String> params, String address) {
        this.stage = stage;
        this.params = params;
        this.address = address;
    }

    void open(Map<String, String> query) {
        open = true;
        var format = "msgpack".equals(query.get("format")) ? Format.MSGPACK : Format.JSON;
        stage.opened(this, new ConnectRequest(format, query, address));
    }

    /** Opens a new socket that resumes this connection. */
    Player resume() {
        var query = new LinkedHashMap<>(params);
        query.put("resume", key);
        open(query);
        return this;
    }

    /** Resumes this connection at another node. */
    Player resumeAt(Stage other) {
        // From now on, no client reads the frames on the old socket.
        deserted.add(session);
        stage = other;
        return resume();
    }

    void drop() {
        open = false;
        stage.carry(stage.hub.socketLost(stage.now(), session));
    }

    Player send(ProtocolMessage message) {
        stage.carry(stage.hub.received(stage.now(), session, message));
        return this;
    }

    public Player attach(String channel) {
        return send(ProtocolMessage.builder(Action.ATTACH).channel(channel).build());
    }

    public Player attach(String channel, Map<String, String> attachParams) {
        return send(ProtocolMessage.builder(Action.ATTACH)
                .channel(channel)
                .params(attachParams)
                .build());
    }

    Player attachFrom(String channel, String channelSerial) {
        return send(ProtocolMessage.builder(Action.ATTACH)
                .channel(channel)
                .channelSerial(channelSerial)
                .build());
    }

    Player detach(String channel) {
        return send(ProtocolMessage.builder(Action.DETACH).channel(channel).build());
    }

    Player close() {
        return send(ProtocolMessage.of(Action.CLOSE));
    }

    public Player enter(String channel, String data) {
        return presence(channel, PresenceAction.ENTER, data);
    }

    Player update(String channel, String data) {
        return presence(channel, PresenceAction.UPDATE, data);
    }

    public Player leave(String channel) {
        return presence(channel, PresenceMessage.of(PresenceAction.LEAVE, null, Data.NONE));
    }

    /**
     * Sends presence. Data that starts with a brace gets {@code encoding: json}, because SDKs send objects in this way.
     */
    public Player presence(String channel, PresenceAction action, String data) {
        return presence(channel, message(action, null, data));
    }

    public static PresenceMessage message(PresenceAction action, String clientId, String data) {
        PresenceMessage plain = PresenceMessage.of(action, clientId, Data.text(data));
        return data.startsWith("{") ? plain.withData(plain.data(), "json") : plain;
    }

    public Player presence(String channel, PresenceMessage... entries) {
        return send(presenceFrame(channel, nextSerial++, entries));
    }

    public static ProtocolMessage presenceFrame(String channel, long serial, PresenceMessage... entries) {
        return ProtocolMessage.builder(Action.PRESENCE)
                .channel(channel)
                .msgSerial(serial)
                .presence(List.of(entries))
                .build();
    }

    Player publish(String channel, String text) {
        return publish(channel, Message.of(null, Data.text(text)));
    }

    Player publish(String channel, Message... messages) {
        return send(messageFrame(channel, nextSerial++, messages));
    }

    static ProtocolMessage messageFrame(String channel, long serial, Message... messages) {
        return ProtocolMessage.builder(Action.MESSAGE)
                .channel(channel)
                .msgSerial(serial)
                .messages(List.of(messages))
                .build();
    }

    /** Returns a message with a fence. */
    static Message fenced(String text, JsonNode fence) {
        var extras = JsonNodeFactory.instance.objectNode();
        extras.putObject("headers").set("doyen-term", fence);
        return Message.of(null, Data.text(text)).withExtras(extras);
    }

    static Message fenced(String text, long fence) {
        return fenced(text, JsonNodeFactory.instance.numberNode(fence));
    }

    void arrived(SessionId at, ProtocolMessage message) {
        if (deserted.contains(at)) {
            return;
        }
        assertThat(at)
                .as("an old socket receives only DISCONNECTED")
                .satisfiesAnyOf(
                        s -> assertThat(s).isEqualTo(session),
                        s -> assertThat(message.action()).isEqualTo(Action.DISCONNECTED));
        if (message.action() == Action.CONNECTED) {
            if (!connectionId.equals(message.connectionId())) {
                nextSerial = 0;
            }
            connectionId = message.connectionId();
            key = message.connectionDetails().connectionKey();
        }
        received.add(message);
    }

    void closed(SessionId at) {
        if (at.equals(session)) {
            open = false;
        }
    }

    /** Removes and returns all received frames. */
    public List<ProtocolMessage> take() {
        var taken = List.copyOf(received);
        received.clear();
        return taken;
    }

    public ProtocolMessage takeOnly() {
        List<ProtocolMessage> taken = take();
        assertThat(taken).hasSize(1);
        return taken.get(0);
    }

    /** Removes all received frames and returns each of them as one short line. */
    public List<String> received() {
        return take().stream().map(Lines::of).toList();
    }
}
