package dev.doyen.hub.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a frame. Known fields must have the right type. The reader ignores unknown fields and most null fields.
 *
 * <p>Each frame requires a new reader. The class is long because it contains every field of every wire record once.
 */
final class FrameReader {

    /** The greatest value up to which a {@code double} distinguishes adjacent integers. */
    private static final double MAX_EXACT_INTEGER = 1L << 53;

    private final JsonParser in;
    private final Format format;
    private String list = "";
    private int index;
    /** The connection key of the message that was read last. Only the body of a request contains this key. */
    private @Nullable String connectionKey;

    FrameReader(JsonParser in, Format format) {
        this.in = in;
        this.format = format;
    }

    ProtocolMessage read() throws IOException, MalformedFrameException {
        JsonToken first = in.nextToken();
        if (first != JsonToken.START_OBJECT) {
            throw new MalformedFrameException("a frame must be one object; this is " + describe(first));
        }
        ProtocolMessage message = protocolMessage();
        checkEnd("something follows the frame's object; send one message per frame");
        return message;
    }

    /** Reads the body of a publish request: one message or a list of messages. */
    List<PostedMessage> readPosted() throws IOException, MalformedFrameException {
        List<PostedMessage> posted;
        if (in.nextToken() == JsonToken.START_OBJECT) {
            posted = List.of(posted());
        } else if (in.currentToken() == JsonToken.START_ARRAY) {
            posted = entries("messages", this::posted);
        } else {
            throw new MalformedFrameException(
                    "the body must be a message or a list of messages; this is " + describe(in.currentToken()));
        }
        checkEnd("something follows the messages in the body");
        return posted;
    }

    /** Reads the body of a publish to several channels: one spec or several. */
    PostedBatch readBatch() throws IOException, MalformedFrameException {
        boolean listed = in.nextToken() == JsonToken.START_ARRAY;
        PostedBatch batch;
        if (listed) {
            var specs = new ArrayList<PostedBatch.Spec>();
            while (in.nextToken() != JsonToken.END_ARRAY) {
                if (specs.size() == PostedBatch.MAX_SPECS) {
                    throw new MalformedFrameException("the body has more than " + PostedBatch.MAX_SPECS
                            + " specs; send them in several requests");
                }
                opens("a spec of the body", JsonToken.START_OBJECT);
                specs.add(spec());
            }
            batch = new PostedBatch(specs, true);
        } else {
            opens("the body", JsonToken.START_OBJECT);
            batch = new PostedBatch(List.of(spec()), false);
        }
        checkEnd("something follows the specs in the body");
        return batch;
    }

    private PostedBatch.Spec spec() throws IOException, MalformedFrameException {
        var channels = new ArrayList<String>();
        List<PostedMessage> messages = List.of();
        while (nextField()) {
            String field = in.currentName();
            in.nextToken();
            switch (field) {
                case "channels" -> channels(channels);
                case "messages" -> messages = messagesOrOne();
                default -> in.skipChildren();
            }
        }
        return new PostedBatch.Spec(channels, messages);
    }

    private void channels(List<String> channels) throws IOException, MalformedFrameException {
        if (in.currentToken() != JsonToken.START_ARRAY) {
            add(channels);
            return;
        }
        while (in.nextToken() != JsonToken.END_ARRAY) {
            add(channels);
        }
    }

    private void add(List<String> channels) throws IOException, MalformedFrameException {
        String channel = text("channels");
        if (channel != null && channels.size() < FrameCodec.MAX_LIST_LENGTH) {
            channels.add(channel);
        }
    }

    private List<PostedMessage> messagesOrOne() throws IOException, MalformedFrameException {
        if (in.currentToken() == JsonToken.START_ARRAY) {
            return entries("messages", this::posted);
        }
        opens("messages", JsonToken.START_OBJECT);
        return List.of(posted());
    }

    List<PresenceMessage> readPresence() throws IOException, MalformedFrameException {
        in.nextToken();
        opens("presence", JsonToken.START_ARRAY);
        List<PresenceMessage> read = entries("presence", this::presence);
        checkEnd("something follows the list");
        return read;
    }

    /** Reads any JSON value. */
    JsonNode readTree() throws IOException, MalformedFrameException {
        in.nextToken();
        JsonNode tree = JsonTree.read(in, "the body");
        checkEnd("something follows the value in the body");
        return tree;
    }

    /** Rejects data after the value. In msgpack, {@link MsgpackShape} has already rejected such data. */
    private void checkEnd(String sentence) throws IOException, MalformedFrameException {
        if (format == Format.JSON && in.nextToken() != null) {
            throw new MalformedFrameException(sentence);
        }
    }

    private PostedMessage posted() throws IOException, MalformedFrameException {
        connectionKey = null;
        return new PostedMessage(message(), connectionKey);
    }

    private ProtocolMessage protocolMessage() throws IOException, MalformedFrameException {
        Action action = null;
        // The builder requires an action, but the action can be the last field of the frame. HEARTBEAT is a
        // placeholder.
        var builder = ProtocolMessage.builder(Action.HEARTBEAT);
        while (nextField()) {
            String name = in.currentName();
            in.nextToken();
            switch (name) {
                case "action" -> {
                    Integer code = integer(name, 0, Action.count() - 1);
                    action = code == null ? null : Action.of(code);
                }
                case "id" -> builder.id(text(name));
                case "channel" -> builder.channel(text(name));
                case "channelSerial" -> builder.channelSerial(text(name));
                case "connectionId" -> builder.connectionId(text(name));
                case "connectionKey" -> builder.connectionKey(text(name));
                case "connectionDetails" -> builder.connectionDetails(connectionDetails());
                case "msgSerial" -> builder.msgSerial(number(name, 0, Long.MAX_VALUE));
                case "count" -> builder.count(integer(name, 0, Integer.MAX_VALUE));
                case "error" -> builder.error(error());
                case "flags" -> builder.flags(integer(name, 0, Integer.MAX_VALUE));
                case "timestamp" -> builder.timestamp(number(name, Long.MIN_VALUE, Long.MAX_VALUE));
                case "params" -> builder.params(params());
                case "messages" -> builder.messages(list(name, this::message));
                case "presence" -> builder.presence(list(name, this::presence));
                case "res" -> builder.res(list(name, this::result));
                case "auth" -> builder.auth(auth());
                default -> in.skipChildren();
            }
        }
        if (action == null) {
            throw new MalformedFrameException("action is missing");
        }
        return builder.action(action).build();
    }

    private Message message() throws IOException, MalformedFrameException {
        String id = null;
        String name = null;
        Data data = Data.NONE;
        String encoding = null;
        String clientId = null;
        String connectionId = null;
        Long timestamp = null;
        JsonNode extras = null;
        Integer action = null;
        String serial = null;
        while (nextField()) {
            String field = in.currentName();
            in.nextToken();
            switch (field) {
                case "id" -> id = text(field);
                case "name" -> name = text(field);
                case "data" -> data = data();
                case "encoding" -> encoding = text(field);
                case "clientId" -> clientId = text(field);
                case "connectionId" -> connectionId = text(field);
                case "connectionKey" -> connectionKey = text(field);
                case "timestamp" -> timestamp = number(field, Long.MIN_VALUE, Long.MAX_VALUE);
                case "extras" -> extras = tree(field);
                case "action" -> action = integer(field, 0, Integer.MAX_VALUE);
                case "serial" -> serial = text(field);
                default -> in.skipChildren();
            }
        }
        boolean base64 = isBase64(data, encoding);
        Data plain = base64 ? decoded(data) : data;
        String steps = base64 ? withoutLastStep(encoding) : encoding;
        return new Message(id, name, plain, steps, clientId, connectionId, timestamp, extras, action, serial);
    }

    private PresenceMessage presence() throws IOException, MalformedFrameException {
        PresenceAction action = null;
        String id = null;
        Data data = Data.NONE;
        String encoding = null;
        String clientId = null;
        String connectionId = null;
        Long timestamp = null;
        JsonNode extras = null;
        while (nextField()) {
            String field = in.currentName();
            in.nextToken();
            switch (field) {
                case "action" -> {
                    Integer code = integer(field, 0, PresenceAction.count() - 1);
                    action = code == null ? null : PresenceAction.of(code);
                }
                case "id" -> id = text(field);
                case "data" -> data = data();
                case "encoding" -> encoding = text(field);
                case "clientId" -> clientId = text(field);
                case "connectionId" -> connectionId = text(field);
                case "timestamp" -> timestamp = number(field, Long.MIN_VALUE, Long.MAX_VALUE);
                case "extras" -> extras = tree(field);
                default -> in.skipChildren();
            }
        }
        if (action == null) {
            throw new MalformedFrameException(where("action") + " is missing");
        }
        boolean base64 = isBase64(data, encoding);
        Data plain = base64 ? decoded(data) : data;
        String steps = base64 ? withoutLastStep(encoding) : encoding;
        return new PresenceMessage(action, id, clientId, connectionId, plain, steps, timestamp, extras);
    }

    private @Nullable AuthDetails auth() throws IOException, MalformedFrameException {
        if (isNull() || !opens("auth", JsonToken.START_OBJECT)) {
            return null;
        }
        String accessToken = null;
        while (nextField()) {
            String field = in.currentName();
            in.nextToken();
            if (field.equals("accessToken")) {
                accessToken = text("auth.accessToken");
            } else {
                in.skipChildren();
            }
        }
        return new AuthDetails(accessToken);
    }

    private @Nullable ConnectionDetails connectionDetails() throws IOException, MalformedFrameException {
        if (isNull() || !opens("connectionDetails", JsonToken.START_OBJECT)) {
            return null;
        }
        String clientId = null;
        String connectionKey = null;
        String serverId = null;
        var numbers = new LinkedHashMap<String, Long>();
        while (nextField()) {
            String field = in.currentName();
            in.nextToken();
            switch (field) {
                case "clientId" -> clientId = text(field);
                case "connectionKey" -> connectionKey = text(field);
                case "serverId" -> serverId = text(field);
                case "maxMessageSize", "maxFrameSize", "maxInboundRate" -> {
                    Integer value = integer(field, 0, Integer.MAX_VALUE);
                    numbers.put(field, value == null ? 0L : value);
                }
                case "connectionStateTtl", "maxIdleInterval" -> {
                    Long value = number(field, 0, Long.MAX_VALUE);
                    numbers.put(field, value == null ? 0L : value);
                }
                default -> in.skipChildren();
            }
        }
        return new ConnectionDetails(
                clientId,
                connectionKey,
                numbers.getOrDefault("maxMessageSize", 0L).intValue(),
                numbers.getOrDefault("maxFrameSize", 0L).intValue(),
                numbers.getOrDefault("maxInboundRate", 0L).intValue(),
                serverId,
                numbers.getOrDefault("connectionStateTtl", 0L),
                numbers.getOrDefault("maxIdleInterval", 0L));
    }

    private @Nullable ErrorInfo error() throws IOException, MalformedFrameException {
        if (isNull() || !opens("error", JsonToken.START_OBJECT)) {
            return null;
        }
        Integer code = null;
        Integer statusCode = null;
        String message = null;
        while (nextField()) {
            String field = in.currentName();
            in.nextToken();
            switch (field) {
                case "code" -> code = integer("error.code", 0, Integer.MAX_VALUE);
                case "statusCode" -> statusCode = integer("error.statusCode", 0, Integer.MAX_VALUE);
                case "message" -> message = text("error.message");
                default -> in.skipChildren();
            }
        }
        if (code == null || statusCode == null || message == null) {
            throw new MalformedFrameException("error must have code, statusCode and message");
        }
        return new ErrorInfo(code, statusCode, message);
    }

    private PublishResult result() throws IOException, MalformedFrameException {
        var serials = new ArrayList<@Nullable String>();
        while (nextField()) {
            String field = in.currentName();
            in.nextToken();
            if (field.equals("serials") && opens(where(field), JsonToken.START_ARRAY)) {
                while (in.nextToken() != JsonToken.END_ARRAY) {
                    serials.add(text(field));
                }
            } else {
                in.skipChildren();
            }
        }
        return new PublishResult(serials);
    }

    private @Nullable Map<String, String> params() throws IOException, MalformedFrameException {
        if (isNull() || !opens("params", JsonToken.START_OBJECT)) {
            return null;
        }
        var params = new LinkedHashMap<String, String>();
        while (nextField()) {
            String name = Utf8.wellFormed(in.currentName());
            in.nextToken();
            // An SDK sends a param as a number if its user set a number. Read the number as text.
            String value = in.currentToken() == JsonToken.VALUE_NUMBER_INT
                    ? in.getNumberValue().toString()
                    : text("params." + name);
            if (value != null) {
                params.put(name, value);
            }
            if (params.size() > FrameCodec.MAX_LIST_LENGTH) {
                throw new MalformedFrameException("params has more than " + FrameCodec.MAX_LIST_LENGTH + " entries");
            }
        }
        return params;
    }

    private <T> @Nullable List<T> list(String name, Item<T> item) throws IOException, MalformedFrameException {
        return isNull() || !opens(name, JsonToken.START_ARRAY) ? null : entries(name, item);
    }

    private <T> List<T> entries(String name, Item<T> item) throws IOException, MalformedFrameException {
        var items = new ArrayList<T>();
        list = name;
        for (index = 0; in.nextToken() != JsonToken.END_ARRAY; index++) {
            if (index == FrameCodec.MAX_LIST_LENGTH) {
                throw new MalformedFrameException(name + " has more than " + FrameCodec.MAX_LIST_LENGTH + " entries");
            }
            if (in.currentToken() != JsonToken.START_OBJECT) {
                throw new MalformedFrameException(
                        name + "[" + index + "] must be an object, not " + describe(in.currentToken()));
            }
            items.add(item.read());
        }
        list = "";
        return items;
    }

    private Data data() throws IOException, MalformedFrameException {
        JsonToken token = in.currentToken();
        if (token == JsonToken.VALUE_STRING) {
            return Data.text(Utf8.wellFormed(in.getText()));
        }
        if (token == JsonToken.VALUE_EMBEDDED_OBJECT && in.getEmbeddedObject() instanceof byte[] bytes) {
            return Data.Bytes.owned(bytes);
        }
        if (token == JsonToken.VALUE_NULL) {
            return Data.NONE;
        }
        throw new MalformedFrameException(where("data") + " must be text, bytes or null, not " + describe(token));
    }

    private static boolean isBase64(Data data, @Nullable String encoding) {
        return data instanceof Data.Text
                && encoding != null
                && (encoding.equals("base64") || encoding.endsWith("/base64"));
    }

    private Data decoded(Data data) throws MalformedFrameException {
        try {
            String text = data instanceof Data.Text base64 ? base64.text() : "";
            return Data.Bytes.owned(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException e) {
            throw new MalformedFrameException(where("data") + " is not base64, although its encoding is base64", e);
        }
    }

    private static @Nullable String withoutLastStep(@Nullable String encoding) {
        int slash = encoding == null ? -1 : encoding.lastIndexOf('/');
        return slash < 0 || encoding == null ? null : encoding.substring(0, slash);
    }

    private @Nullable JsonNode tree(String name) throws IOException, MalformedFrameException {
        return isNull() ? null : JsonTree.read(in, where(name));
    }

    private @Nullable String text(String name) throws IOException, MalformedFrameException {
        if (isNull()) {
            return null;
        }
        opens(where(name), JsonToken.VALUE_STRING);
        return Utf8.wellFormed(in.getText());
    }

    private @Nullable Integer integer(String name, int min, int max) throws IOException, MalformedFrameException {
        Long value = number(name, min, max);
        return value == null ? null : value.intValue();
    }

    private @Nullable Long number(String name, long min, long max) throws IOException, MalformedFrameException {
        if (isNull()) {
            return null;
        }
        JsonToken token = in.currentToken();
        long value = 0;
        boolean whole = false;
        String shown = "a larger one";
        if (token == JsonToken.VALUE_NUMBER_INT) {
            whole = in.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
            value = whole ? in.getLongValue() : 0;
            shown = whole ? Long.toString(value) : shown;
        } else if (token == JsonToken.VALUE_NUMBER_FLOAT) {
            // Some msgpack encoders write every number above 32 bits as a double.
            double d = in.getDoubleValue();
            whole = d == Math.rint(d) && Math.abs(d) <= MAX_EXACT_INTEGER;
            value = (long) d;
            shown = Double.toString(d);
        } else {
            throw new MalformedFrameException(where(name) + " must be an integer, not " + describe(token));
        }
        if (!whole || value < min || value > max) {
            throw new MalformedFrameException(
                    where(name) + " must be an integer from " + min + " to " + max + ", not " + shown);
        }
        return value;
    }

    private boolean nextField() throws IOException {
        return in.nextToken() == JsonToken.FIELD_NAME;
    }

    private boolean isNull() {
        return in.currentToken() == JsonToken.VALUE_NULL;
    }

    /** Throws if the value does not have the expected type. Otherwise returns true. */
    private boolean opens(String where, JsonToken expected) throws MalformedFrameException {
        if (in.currentToken() != expected) {
            throw new MalformedFrameException(
                    where + " must be " + describe(expected) + ", not " + describe(in.currentToken()));
        }
        return true;
    }

    private String where(String field) {
        return list.isEmpty() ? field : list + "[" + index + "]." + field;
    }

    static String describe(@Nullable JsonToken token) {
        if (token == null) {
            return "nothing";
        }
        return switch (token) {
            case START_OBJECT -> "an object";
            case START_ARRAY -> "a list";
            case VALUE_STRING -> "text";
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> "a number";
            case VALUE_TRUE, VALUE_FALSE -> "a boolean";
            case VALUE_NULL -> "null";
            case VALUE_EMBEDDED_OBJECT -> "bytes";
            default -> "something else";
        };
    }

    private interface Item<T> {
        T read() throws IOException, MalformedFrameException;
    }
}
