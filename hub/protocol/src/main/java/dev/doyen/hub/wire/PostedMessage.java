package dev.doyen.hub.wire;

import org.jspecify.annotations.Nullable;

/**
 * A message in the body of a request.
 *
 * @param connectionKey key of the connection for which it is published; null for none
 */
public record PostedMessage(Message message, @Nullable String connectionKey) {

    /** Omits the key, because it is a secret of the connection's client. */
    @Override
    public String toString() {
        return "PostedMessage[" + message + (connectionKey == null ? "" : ", for a connection") + "]";
    }
}
