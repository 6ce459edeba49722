package dev.doyen.hub.server.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.http.RawWebSocket;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.Format;
import dev.doyen.hub.wire.FrameCodec;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.ProtocolMessage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;

/** A protocol client that can move between nodes, handles one frame at a time, and stores all frames. */
final class NodeClient implements AutoCloseable {

    static final String KEY = "app.id:the-secret";

    private final FrameCodec codec = new FrameCodec(1 << 20);
    private final String clientId;
    private RawWebSocket socket;
    private final List<ProtocolMessage> delivered = new ArrayList<>();
    private long nextSerial;
    private String key = "";
    private String connectionId = "";
    private String channelSerial = "";

    NodeClient(InetSocketAddress node, String clientId) throws Exception {
        this.clientId = clientId;
        this.socket = open(node, "");
        connected();
    }

    private RawWebSocket open(InetSocketAddress node, String more) throws IOException {
        return new RawWebSocket(node, "?key=" + KEY + "&clientId=" + clientId + "&v=4&format=json" + more);
    }

    private void connected() throws Exception {
        ProtocolMessage connected = await(frame -> frame.action() == Action.CONNECTED);
        connectionId = Objects.requireNonNull(connected.connectionId());
        key = Objects.requireNonNull(connected.connectionDetails()).connectionKey();
    }

    String connectionId() {
        return connectionId;
    }

    /** Resumes the connection of this client at a node, as SDKs do after a lost socket. */
    NodeClient resumeAt(InetSocketAddress node) throws Exception {
        socket.close();
        socket = open(node, "&resume=" + key.replace("!", "%21"));
        connected();
        return this;
    }

    NodeClient attach(String channel) throws Exception {
        var attach = ProtocolMessage.builder(Action.ATTACH).channel(channel);
        send((channelSerial.isEmpty() ? attach : attach.channelSerial(channelSerial)).build());
        await(frame -> frame.action() == Action.ATTACHED);
        return this;
    }

    /** Publishes without waiting. Returns the frame, so that the client can send it again if no answer arrives. */
    ProtocolMessage publish(String channel, String text) throws Exception {
        var frame = ProtocolMessage.builder(Action.MESSAGE)
                .channel(channel)
                .msgSerial(nextSerial++)
                .messages(List.of(Message.of(null, Data.text(text))))
                .build();
        send(frame);
        return frame;
    }

    ProtocolMessage enter(String channel, String data) throws Exception {
        var frame = ProtocolMessage.builder(Action.PRESENCE)
                .channel(channel)
                .msgSerial(nextSerial++)
                .presence(List.of(PresenceMessage.of(PresenceAction.ENTER, null, Data.text(data))))
                .build();
        send(frame);
        return frame;
    }

    void send(ProtocolMessage frame) throws Exception {
        socket.sendFrame(0x80 | RawWebSocket.TEXT, codec.encode(frame, Format.JSON));
    }

    void awaitAnswer(ProtocolMessage frame) throws Exception {
        ProtocolMessage answer = await(next -> (next.action() == Action.ACK || next.action() == Action.NACK)
                && Objects.equals(next.msgSerial(), frame.msgSerial()));
        assertThat(answer.action()).as("%s", answer).isEqualTo(Action.ACK);
    }

    /** Returns the next matching frame and skips all frames before it. */
    ProtocolMessage await(Predicate<ProtocolMessage> condition) throws Exception {
        while (true) {
            RawWebSocket.Frame raw = socket.readAndAnswerPings();
            if (raw.opcode() == RawWebSocket.CLOSE) {
                socket.sendFrame(0x80 | RawWebSocket.CLOSE, raw.payload());
                throw new IOException("the hub closed the socket of " + clientId + " (" + raw.closeCode()
                        + "); received: " + delivered);
            }
            ProtocolMessage frame = codec.decode(raw.payload(), Format.JSON);
            delivered.add(frame);
            if (frame.action() == Action.MESSAGE && frame.channelSerial() != null) {
                channelSerial = frame.channelSerial();
            }
            if (condition.test(frame)) {
                return frame;
            }
        }
    }

    void awaitText(String text) throws Exception {
        await(frame -> frame.action() == Action.MESSAGE && texts(frame).contains(text));
    }

    void awaitPresence(PresenceAction action, String of) throws Exception {
        await(frame -> frame.presence() != null
                && frame.presence().stream()
                        .anyMatch(message -> message.action() == action && of.equals(message.clientId())));
    }

    /** Reads until the hub has closed the socket. */
    void awaitEnd() throws Exception {
        try {
            await(frame -> false);
        } catch (IOException e) {
            // The hub has closed the socket, as expected.
        }
    }

    /** Returns the texts of all received messages, in order. */
    List<String> texts() {
        return delivered.stream().flatMap(frame -> texts(frame).stream()).toList();
    }

    List<ProtocolMessage> received() {
        return delivered;
    }

    private static List<String> texts(ProtocolMessage frame) {
        return frame.messages() == null
                ? List.of()
                : frame.messages().stream()
                        .filter(message -> message.data() instanceof Data.Text)
                        .map(message -> ((Data.Text) message.data()).text())
                        .toList();
    }

    @Override
    public void close() throws Exception {
        socket.close();
    }
}
