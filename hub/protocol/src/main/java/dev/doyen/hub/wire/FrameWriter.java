package dev.doyen.hub.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes a frame. The writer omits null fields, because SDKs read {@code "channel":null} as a channel name. */
final class FrameWriter {

    private final JsonGenerator out;
    private final Format format;

    FrameWriter(JsonGenerator out, Format format) {
        this.out = out;
        this.format = format;
    }

    void write(ProtocolMessage message) throws IOException {
        out.writeStartObject();
        number("action", (long) message.action().code());
        text("id", message.id());
        text("channel", message.channel());
        text("channelSerial", message.channelSerial());
        text("connectionId", message.connectionId());
        text("connectionKey", message.connectionKey());
        if (message.connectionDetails() != null) {
            connectionDetails(message.connectionDetails());
        }
        number("msgSerial", message.msgSerial());
        number("count", widened(message.count()));
        if (message.error() != null) {
            error(message.error());
        }
        number("flags", widened(message.flags()));
        number("timestamp", message.timestamp());
        if (message.params() != null) {
            out.writeFieldName("params");
            out.writeStartObject();
            for (var param : message.params().entrySet()) {
                text(param.getKey(), param.getValue());
            }
            out.writeEndObject();
        }
        if (message.messages() != null) {
            out.writeFieldName("messages");
            messages(message.id(), message.messages());
        }
        list("presence", message.presence(), this::presence);
        list("res", message.res(), this::result);
        if (message.auth() != null) {
            out.writeFieldName("auth");
            out.writeStartObject();
            text("accessToken", message.auth().accessToken());
            out.writeEndObject();
        }
        out.writeEndObject();
    }

    void writeMessages(List<Message> messages) throws IOException {
        messages(null, messages);
    }

    void writePresence(List<PresenceMessage> presence) throws IOException {
        array(presence, this::presence);
    }

    void writeTree(JsonNode tree) throws IOException {
        JsonTree.write(out, tree);
    }

    private void connectionDetails(ConnectionDetails details) throws IOException {
        out.writeFieldName("connectionDetails");
        out.writeStartObject();
        text("clientId", details.clientId());
        text("connectionKey", details.connectionKey());
        number("maxMessageSize", (long) details.maxMessageSize());
        number("maxFrameSize", (long) details.maxFrameSize());
        number("maxInboundRate", (long) details.maxInboundRate());
        text("serverId", details.serverId());
        number("connectionStateTtl", details.connectionStateTtl());
        number("maxIdleInterval", details.maxIdleInterval());
        out.writeEndObject();
    }

    private void error(ErrorInfo error) throws IOException {
        out.writeFieldName("error");
        out.writeStartObject();
        number("code", (long) error.code());
        number("statusCode", (long) error.statusCode());
        text("message", error.message());
        out.writeEndObject();
    }

    /**
     * Writes the messages of a frame. If a message has the id that its place in the frame implies, the writer omits this
     * id, and the reader derives it (TM2a of the Ably features specification).
     */
    private void messages(@Nullable String frameId, List<Message> messages) throws IOException {
        out.writeStartArray();
        int index = 0;
        for (Message message : messages) {
            out.writeStartObject();
            if (frameId == null || !Message.idAt(index, frameId).equals(message.id())) {
                text("id", message.id());
            }
            message(message);
            out.writeEndObject();
            index++;
        }
        out.writeEndArray();
    }

    /** Writes all fields of a message except its id. */
    private void message(Message message) throws IOException {
        text("name", message.name());
        payload(message.data(), message.encoding());
        text("clientId", message.clientId());
        text("connectionId", message.connectionId());
        number("timestamp", message.timestamp());
        tree("extras", message.extras());
        number("action", widened(message.action()));
        text("serial", message.serial());
    }

    private void presence(PresenceMessage presence) throws IOException {
        out.writeStartObject();
        number("action", (long) presence.action().code());
        text("id", presence.id());
        text("clientId", presence.clientId());
        text("connectionId", presence.connectionId());
        payload(presence.data(), presence.encoding());
        number("timestamp", presence.timestamp());
        tree("extras", presence.extras());
        out.writeEndObject();
    }

    private void result(PublishResult result) throws IOException {
        out.writeStartObject();
        out.writeFieldName("serials");
        out.writeStartArray();
        for (String serial : result.serials()) {
            if (serial == null) {
                out.writeNull();
            } else {
                out.writeString(Utf8.wellFormed(serial));
            }
        }
        out.writeEndArray();
        out.writeEndObject();
    }

    /** Writes data and encoding. In JSON, the writer adds a {@code base64} step for bytes. */
    private void payload(Data data, @Nullable String encoding) throws IOException {
        String steps = encoding;
        if (data instanceof Data.Text text) {
            text("data", text.text());
        } else if (data instanceof Data.Bytes bytes) {
            if (format == Format.MSGPACK) {
                out.writeFieldName("data");
                out.writeBinary(bytes.shared());
            } else {
                text("data", Base64.getEncoder().encodeToString(bytes.shared()));
                steps = encoding == null ? "base64" : encoding + "/base64";
            }
        }
        text("encoding", steps);
    }

    private void text(String name, @Nullable String value) throws IOException {
        if (value != null) {
            out.writeFieldName(Utf8.wellFormed(name));
            out.writeString(Utf8.wellFormed(value));
        }
    }

    private void number(String name, @Nullable Long value) throws IOException {
        if (value != null) {
            out.writeFieldName(name);
            out.writeNumber(value.longValue());
        }
    }

    private void tree(String name, @Nullable JsonNode value) throws IOException {
        if (value != null) {
            out.writeFieldName(name);
            JsonTree.write(out, value);
        }
    }

    private <T> void list(String name, @Nullable List<T> values, Item<T> item) throws IOException {
        if (values != null) {
            out.writeFieldName(name);
            array(values, item);
        }
    }

    private <T> void array(List<T> values, Item<T> item) throws IOException {
        out.writeStartArray();
        for (T value : values) {
            item.write(value);
        }
        out.writeEndArray();
    }

    private static @Nullable Long widened(@Nullable Integer value) {
        return value == null ? null : Long.valueOf(value);
    }

    private interface Item<T> {
        void write(T value) throws IOException;
    }
}
