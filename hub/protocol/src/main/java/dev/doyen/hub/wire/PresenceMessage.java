package dev.doyen.hub.wire;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/** A presence event or the state of a member. */
public record PresenceMessage(
        PresenceAction action,
        @Nullable String id,
        @Nullable String clientId,
        @Nullable String connectionId,
        Data data,
        @Nullable String encoding,
        @Nullable Long timestamp,
        @Nullable JsonNode extras) {

    /** Creates a presence message as a client sends it. */
    public static PresenceMessage of(PresenceAction action, @Nullable String clientId, Data data) {
        return new PresenceMessage(action, null, clientId, null, data, null, null, null);
    }

    public PresenceMessage withId(@Nullable String newId) {
        return new PresenceMessage(action, newId, clientId, connectionId, data, encoding, timestamp, extras);
    }

    public PresenceMessage withAction(PresenceAction newAction) {
        return new PresenceMessage(newAction, id, clientId, connectionId, data, encoding, timestamp, extras);
    }

    public PresenceMessage withData(Data newData, @Nullable String newEncoding) {
        return new PresenceMessage(action, id, clientId, connectionId, newData, newEncoding, timestamp, extras);
    }

    public PresenceMessage withExtras(@Nullable JsonNode newExtras) {
        return new PresenceMessage(action, id, clientId, connectionId, data, encoding, timestamp, newExtras);
    }

    public PresenceMessage withTimestamp(@Nullable Long newTimestamp) {
        return new PresenceMessage(action, id, clientId, connectionId, data, encoding, newTimestamp, extras);
    }
}
