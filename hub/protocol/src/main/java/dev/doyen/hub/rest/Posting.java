package dev.doyen.hub.rest;

import dev.doyen.hub.wire.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages that a request publishes to a channel.
 *
 * @param channel the name as in the request
 * @param connectionKey key of the connection for which the request publishes; null for none
 * @param identity client id of the request: {@code *} for any, null for none
 */
public record Posting(
        String channel,
        List<Message> messages,
        @Nullable String connectionKey,
        @Nullable String identity) {
    public Posting {
        messages = List.copyOf(messages);
    }

    /** Omits the connection key, because it is a secret of the connection's client. */
    @Override
    public String toString() {
        return "Posting[" + channel + ", " + messages + "]";
    }
}
