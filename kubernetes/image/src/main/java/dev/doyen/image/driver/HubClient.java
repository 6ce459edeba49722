package dev.doyen.image.driver;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * A client of one channel of a hub.
 *
 * <p>The client uses the Ably realtime protocol in JSON.
 *
 * <p>Threads: the caller's. Errors: the methods throw {@link IllegalStateException} if they wait for a frame, and the
 * hub sends nothing for 60 s or ends the connection.
 */
final class HubClient implements AutoCloseable {

    // The numbers of the actions are those of the Ably realtime protocol.
    static final int ACK = 1;
    static final int NACK = 2;
    static final int CONNECTED = 4;
    static final int DISCONNECTED = 6;
    static final int ERROR = 9;
    static final int ATTACH = 10;
    static final int ATTACHED = 11;
    static final int PRESENCE = 14;
    static final int MESSAGE = 15;

    private static final int ENTER = 2;
    private static final int MOST_FRAMES = 1_000;
    private static final int WAIT_SECONDS = 60;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final BlockingQueue<String> frames = new ArrayBlockingQueue<>(MOST_FRAMES);
    private final String channel;
    private final WebSocket socket;
    private long serial;

    private HubClient(HttpClient http, int port, String credentials, String clientId, String channel) {
        this.channel = channel;
        socket = http.newWebSocketBuilder()
                .buildAsync(
                        URI.create("ws://127.0.0.1:" + port + "/?v=4&format=json&clientId=" + clientId + "&"
                                + credentials),
                        new Frames(frames))
                .join();
    }

    /**
     * Connects the client, and attaches it to the channel.
     *
     * @param credentials the parameter {@code key} or {@code accessToken} with its value
     */
    static HubClient attached(HttpClient http, int port, String credentials, String clientId, String channel)
            throws Exception {
        var client = new HubClient(http, port, credentials, clientId, channel);
        client.await(CONNECTED);
        client.send(JSON.createObjectNode().put("action", ATTACH));
        client.await(ATTACHED);
        return client;
    }

    /** Claims the leadership of the channel, and returns the answer, an ACK or a NACK. */
    JsonNode claim() throws Exception {
        var frame = JSON.createObjectNode().put("action", PRESENCE).put("msgSerial", serial++);
        frame.putArray("presence").addObject().put("action", ENTER).put("data", "leader");
        return answer(frame);
    }

    /** Publishes a message, and returns the answer, an ACK or a NACK. */
    JsonNode publish(String text) throws Exception {
        var frame = JSON.createObjectNode().put("action", MESSAGE).put("msgSerial", serial++);
        frame.putArray("messages").addObject().put("name", "text").put("data", text);
        return answer(frame);
    }

    private JsonNode answer(ObjectNode frame) throws Exception {
        send(frame);
        return await(
                "an answer",
                each -> each.path("action").asInt() == ACK
                        || each.path("action").asInt() == NACK);
    }

    private void send(ObjectNode frame) {
        socket.sendText(frame.put("channel", channel).toString(), true).join();
    }

    /** Returns the next frame with this action, and skips all frames before it. */
    JsonNode await(int action) throws Exception {
        return await("action " + action, each -> each.path("action").asInt() == action);
    }

    private JsonNode await(String what, Predicate<JsonNode> condition) throws Exception {
        while (true) {
            var text = frames.poll(WAIT_SECONDS, TimeUnit.SECONDS);
            if (text == null) {
                throw new IllegalStateException(
                        "the hub sent no frame with " + what + " within " + WAIT_SECONDS + " s");
            }
            var frame = parsed(text);
            if (condition.test(frame)) {
                return frame;
            }
            int action = frame.path("action").asInt();
            if (action == ERROR || action == DISCONNECTED) {
                throw new IllegalStateException(
                        "the hub ended the connection before a frame with " + what + ": " + text);
            }
        }
    }

    private static JsonNode parsed(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("the hub sent no JSON, but: " + text, e);
        }
    }

    @Override
    public void close() {
        socket.abort();
    }

    /** Collects the text frames. Answers the hub's close frame, as WebSocket clients do by default. */
    private static final class Frames implements WebSocket.Listener {

        private final BlockingQueue<String> frames;
        private final StringBuilder part = new StringBuilder();

        Frames(BlockingQueue<String> frames) {
            this.frames = frames;
        }

        @Override
        public CompletionStage<?> onText(WebSocket socket, CharSequence data, boolean last) {
            part.append(data);
            if (last) {
                frames.add(part.toString());
                part.setLength(0);
            }
            return WebSocket.Listener.super.onText(socket, "", last);
        }
    }
}
