package dev.doyen.chaos;

import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.Data;
import dev.doyen.hub.wire.Format;
import dev.doyen.hub.wire.FrameCodec;
import dev.doyen.hub.wire.MalformedFrameException;
import dev.doyen.hub.wire.Message;
import dev.doyen.hub.wire.PresenceAction;
import dev.doyen.hub.wire.PresenceMessage;
import dev.doyen.hub.wire.ProtocolMessage;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A client that can move from one node of a hub to another. */
final class HubClient {

    private static final FrameCodec CODEC = new FrameCodec(1 << 20);
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final long PATIENCE_SECONDS = 40;

    private final String clientId;
    private final List<String> texts = new ArrayList<>();
    private BlockingQueue<ProtocolMessage> frames = new LinkedBlockingQueue<>();
    private @Nullable WebSocket socket;
    private long nextSerial;
    private String connectionId = "";
    private String key = "";
    private String channelSerial = "";

    HubClient(String clientId) {
        this.clientId = clientId;
    }

    /**
     * Connects to the node. If the client was connected before, it resumes its last connection, even on another node.
     * Retries until the node accepts the client.
     */
    HubClient connect(HubProcess node) throws Exception {
        String query = "?v=4&format=json&key=" + HubProcess.KEY + "&clientId=" + clientId
                + (key.isEmpty() ? "" : "&resume=" + key.replace("!", "%21"));
        while (true) {
            frames = new LinkedBlockingQueue<>();
            try {
                socket = HTTP.newWebSocketBuilder()
                        .buildAsync(URI.create(node.url() + query), new Listener(frames))
                        .join();
                ProtocolMessage first = next();
                if (first.action() == Action.CONNECTED) {
                    connectionId = Objects.requireNonNull(first.connectionId());
                    key = Objects.requireNonNull(first.connectionDetails()).connectionKey();
                    return this;
                }
            } catch (CompletionException e) {
                // The node is still starting, or has lost its connection to Redis. The time limit of the test ends this
                // loop.
                LockSupport.parkNanos(20_000_000);
            }
        }
    }

    String connectionId() {
        return connectionId;
    }

    /** Returns the texts of all received messages, in order. */
    List<String> texts() {
        return texts;
    }

    HubClient attach(String channel) throws Exception {
        var attach = ProtocolMessage.builder(Action.ATTACH).channel(channel);
        send((channelSerial.isEmpty() ? attach : attach.channelSerial(channelSerial)).build());
        await(frame -> frame.action() == Action.ATTACHED);
        return this;
    }

    void publish(String channel, String text) throws Exception {
        answered(ProtocolMessage.builder(Action.MESSAGE)
                .channel(channel)
                .messages(List.of(Message.of(null, Data.text(text)))));
    }

    void enter(String channel, String data) throws Exception {
        answered(ProtocolMessage.builder(Action.PRESENCE)
                .channel(channel)
                .presence(List.of(PresenceMessage.of(PresenceAction.ENTER, null, Data.text(data)))));
    }

    private void answered(ProtocolMessage.Builder frame) throws Exception {
        long serial = nextSerial++;
        send(frame.msgSerial(serial).build());
        ProtocolMessage answer = await(next -> Objects.equals(next.msgSerial(), serial)
                && (next.action() == Action.ACK || next.action() == Action.NACK));
        if (answer.action() == Action.NACK) {
            throw new AssertionError(answer);
        }
    }

    void awaitText(String text) throws Exception {
        while (!texts.contains(text)) {
            next();
        }
    }

    void awaitPresence(PresenceAction action, String of) throws Exception {
        await(frame -> frame.presence() != null
                && frame.presence().stream()
                        .anyMatch(message -> message.action() == action && of.equals(message.clientId())));
    }

    ProtocolMessage await(Predicate<ProtocolMessage> condition) throws Exception {
        ProtocolMessage frame = next();
        while (!condition.test(frame)) {
            frame = next();
        }
        return frame;
    }

    private ProtocolMessage next() throws Exception {
        ProtocolMessage frame = frames.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (frame == null) {
            throw new AssertionError(clientId + " received nothing for " + PATIENCE_SECONDS + " s");
        }
        if (frame.action() == Action.MESSAGE && frame.messages() != null) {
            channelSerial = Objects.requireNonNull(frame.channelSerial());
            frame.messages().forEach(message -> texts.add(((Data.Text) message.data()).text()));
        }
        return frame;
    }

    private void send(ProtocolMessage frame) throws Exception {
        String text = new String(CODEC.encode(frame, Format.JSON), StandardCharsets.UTF_8);
        Objects.requireNonNull(socket).sendText(text, true).get();
    }

    /** Adds complete frames to a queue. */
    private static final class Listener implements WebSocket.Listener {
        private final BlockingQueue<ProtocolMessage> frames;
        private final StringBuilder text = new StringBuilder();

        Listener(BlockingQueue<ProtocolMessage> frames) {
            this.frames = frames;
        }

        @Override
        public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                try {
                    frames.add(CODEC.decode(text.toString().getBytes(StandardCharsets.UTF_8), Format.JSON));
                } catch (MalformedFrameException e) {
                    return CompletableFuture.failedFuture(e);
                }
                text.setLength(0);
            }
            from.request(1);
            return null;
        }
    }
}
