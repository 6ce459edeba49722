package dev.doyen.hub.rest;

import dev.doyen.hub.wire.Message;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a request wants to publish.
 *
 * @param channel as the request spells it
 * @param connectionKey of the connection it is published for; null if for none
 * @param identity who the request speaks as: {@code *} as anybody, null as nobody in particular
 */
public record Posting(
        String channel,
        List<Message> messages,
        @Nullable String connectionKey,
        @Nullable String identity) {
    public Posting {
        messages = List.copyOf(messages);
    }

    /** Without the connection key, which is a secret of the connection's client. */
    @Override
    public String toString() {
        return "Posting[" + channel + ", " + messages + "]";
    }
}
