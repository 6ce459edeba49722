package dev.doyen.hub.wire;

import org.jspecify.annotations.Nullable;

/**
 * A message in the body of a request.
 *
 * @param connectionKey the key of the connection for which the message is published; null if there is none
 */
public record PostedMessage(Message message, @Nullable String connectionKey) {

    /** Returns a text without the key, because the key is a secret of the client. */
    @Override
    public String toString() {
        return "PostedMessage[" + message + (connectionKey == null ? "" : ", for a connection") + "]";
    }
}
