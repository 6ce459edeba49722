package dev.doyen.hub.wire;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A frame of the realtime protocol. Null fields are absent on the wire; empty lists are present.
 *
 * @param msgSerial the serial number of a frame that requires an answer, counted from 0 on each connection; in such a
 *     frame, null means 0
 * @param count the number of frames from {@code msgSerial} on, in ACK and NACK
 * @param flags the bits of {@link Flags}
 * @param timestamp the time in milliseconds since the epoch
 */
public record ProtocolMessage(
        Action action,
        @Nullable String id,
        @Nullable String channel,
        @Nullable String channelSerial,
        @Nullable String connectionId,
        @Nullable String connectionKey,
        @Nullable ConnectionDetails connectionDetails,
        @Nullable Long msgSerial,
        @Nullable Integer count,
        @Nullable ErrorInfo error,
        @Nullable Integer flags,
        @Nullable Long timestamp,
        @Nullable List<Message> messages,
        @Nullable List<PresenceMessage> presence,
        @Nullable Map<String, String> params,
        @Nullable List<PublishResult> res,
        @Nullable AuthDetails auth) {

    public ProtocolMessage {
        messages = messages == null ? null : List.copyOf(messages);
        presence = presence == null ? null : List.copyOf(presence);
        params = params == null ? null : Map.copyOf(params);
        res = res == null ? null : List.copyOf(res);
    }

    /** Creates a frame that contains only an action. */
    public static ProtocolMessage of(Action action) {
        return builder(action).build();
    }

    public static Builder builder(Action action) {
        return new Builder(action);
    }

    /** Returns a builder with the fields of this frame. */
    public Builder toBuilder() {
        var builder = new Builder(action);
        builder.id = id;
        builder.channel = channel;
        builder.channelSerial = channelSerial;
        builder.connectionId = connectionId;
        builder.connectionKey = connectionKey;
        builder.connectionDetails = connectionDetails;
        builder.msgSerial = msgSerial;
        builder.count = count;
        builder.error = error;
        builder.flags = flags;
        builder.timestamp = timestamp;
        builder.messages = messages;
        builder.presence = presence;
        builder.params = params;
        builder.res = res;
        builder.auth = auth;
        return builder;
    }

    /** Returns a copy with the channel name as a receiver spelled it in its ATTACH. */
    public ProtocolMessage withChannel(String name) {
        return toBuilder().channel(name).build();
    }

    /** Returns the number of messages, or 0 if the field is absent. */
    public int messageCount() {
        return messages == null ? 0 : messages.size();
    }

    /** Returns the flags, or 0 if the field is absent. */
    public int flagBits() {
        return flags == null ? 0 : flags;
    }

    /** Returns a text without the connection key and the token, because they are secrets. */
    @Override
    public String toString() {
        var out = new StringBuilder(action.toString());
        append(out, "id", id);
        append(out, "channel", channel);
        append(out, "channelSerial", channelSerial);
        append(out, "connectionId", connectionId);
        append(out, "connectionDetails", connectionDetails);
        append(out, "msgSerial", msgSerial);
        append(out, "count", count);
        append(out, "error", error);
        append(out, "flags", flags);
        append(out, "timestamp", timestamp);
        append(out, "messages", messages);
        append(out, "presence", presence);
        append(out, "params", params);
        append(out, "res", res);
        append(out, "auth", auth);
        return out.toString();
    }

    private static void append(StringBuilder out, String name, @Nullable Object value) {
        if (value != null) {
            out.append(' ').append(name).append('=').append(value);
        }
    }

    /** Builds a frame. */
    public static final class Builder {
        private Action action;
        private @Nullable String id;
        private @Nullable String channel;
        private @Nullable String channelSerial;
        private @Nullable String connectionId;
        private @Nullable String connectionKey;
        private @Nullable ConnectionDetails connectionDetails;
        private @Nullable Long msgSerial;
        private @Nullable Integer count;
        private @Nullable ErrorInfo error;
        private @Nullable Integer flags;
        private @Nullable Long timestamp;
        private @Nullable List<Message> messages;
        private @Nullable List<PresenceMessage> presence;
        private @Nullable Map<String, String> params;
        private @Nullable List<PublishResult> res;
        private @Nullable AuthDetails auth;

        private Builder(Action action) {
            this.action = action;
        }

        public Builder action(Action value) {
            this.action = value;
            return this;
        }

        public Builder id(@Nullable String value) {
            this.id = value;
            return this;
        }

        public Builder channel(@Nullable String value) {
            this.channel = value;
            return this;
        }

        public Builder channelSerial(@Nullable String value) {
            this.channelSerial = value;
            return this;
        }

        public Builder connectionId(@Nullable String value) {
            this.connectionId = value;
            return this;
        }

        public Builder connectionKey(@Nullable String value) {
            this.connectionKey = value;
            return this;
        }

        public Builder connectionDetails(@Nullable ConnectionDetails value) {
            this.connectionDetails = value;
            return this;
        }

        public Builder msgSerial(@Nullable Long value) {
            this.msgSerial = value;
            return this;
        }

        public Builder count(@Nullable Integer value) {
            this.count = value;
            return this;
        }

        public Builder error(@Nullable ErrorInfo value) {
            this.error = value;
            return this;
        }

        public Builder flags(@Nullable Integer value) {
            this.flags = value;
            return this;
        }

        public Builder timestamp(@Nullable Long value) {
            this.timestamp = value;
            return this;
        }

        public Builder messages(@Nullable List<Message> value) {
            this.messages = value;
            return this;
        }

        public Builder presence(@Nullable List<PresenceMessage> value) {
            this.presence = value;
            return this;
        }

        public Builder params(@Nullable Map<String, String> value) {
            this.params = value;
            return this;
        }

        public Builder res(@Nullable List<PublishResult> value) {
            this.res = value;
            return this;
        }

        public Builder auth(@Nullable AuthDetails value) {
            this.auth = value;
            return this;
        }

        public ProtocolMessage build() {
            return new ProtocolMessage(
                    action,
                    id,
                    channel,
                    channelSerial,
                    connectionId,
                    connectionKey,
                    connectionDetails,
                    msgSerial,
                    count,
                    error,
                    flags,
                    timestamp,
                    messages,
                    presence,
                    params,
                    res,
                    auth);
        }
    }
}
