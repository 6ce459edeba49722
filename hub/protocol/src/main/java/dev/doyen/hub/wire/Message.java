package dev.doyen.hub.wire;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * A published message. If the id, connection or time of a message is absent, the value in its frame ({@link
 * ProtocolMessage}) applies.
 *
 * @param extras any JSON value, which must not be modified
 * @param action the action on an earlier message; null and 0 create a new message
 */
public record Message(
        @Nullable String id,
        @Nullable String name,
        Data data,
        @Nullable String encoding,
        @Nullable String clientId,
        @Nullable String connectionId,
        @Nullable Long timestamp,
        @Nullable JsonNode extras,
        @Nullable Integer action,
        @Nullable String serial) {

    /** Creates a message as a client sends it. */
    public static Message of(@Nullable String name, Data data) {
        return new Message(null, name, data, null, null, null, null, null, null, null);
    }

    /** Returns the id that a message without an id has at this index of a frame with this id. */
    public static String idAt(int index, String frameId) {
        return frameId + ":" + index;
    }

    public Message withId(String newId) {
        return new Message(newId, name, data, encoding, clientId, connectionId, timestamp, extras, action, serial);
    }

    public Message withClientId(@Nullable String newClientId) {
        return new Message(id, name, data, encoding, newClientId, connectionId, timestamp, extras, action, serial);
    }

    public Message withData(Data newData, @Nullable String newEncoding) {
        return new Message(id, name, newData, newEncoding, clientId, connectionId, timestamp, extras, action, serial);
    }

    public Message withExtras(@Nullable JsonNode newExtras) {
        return new Message(id, name, data, encoding, clientId, connectionId, timestamp, newExtras, action, serial);
    }

    public Message withSerial(String newSerial) {
        return new Message(id, name, data, encoding, clientId, connectionId, timestamp, extras, action, newSerial);
    }

    /**
     * Returns a copy with the connection and time of its frame. The copy is for receivers that do not get the frame.
     */
    public Message outside(ProtocolMessage frame) {
        return new Message(
                id, name, data, encoding, clientId, frame.connectionId(), frame.timestamp(), extras, action, serial);
    }
}
