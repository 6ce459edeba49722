package dev.doyen.hub.rest;

import dev.doyen.hub.wire.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages that a request publishes to a channel.
 *
 * @param channel the channel name as the request contains it
 * @param connectionKey the key of the connection for which the request publishes; null if there is none
 * @param identity the client id of the request: {@code *} if every client id is allowed, null if there is none
 */
public record Posting(
        String channel,
        List<Message> messages,
        @Nullable String connectionKey,
        @Nullable String identity) {
    public Posting {
        messages = List.copyOf(messages);
    }

    /** Returns a text without the connection key, because the key is a secret. */
    @Override
    public String toString() {
        return "Posting[" + channel + ", " + messages + "]";
    }
}
