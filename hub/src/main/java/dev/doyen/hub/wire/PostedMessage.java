package dev.doyen.hub.wire;

import org.jspecify.annotations.Nullable;

/**
 * A message in the body of a request.
 *
 * @param connectionKey the connection it is published for; null if for none
 */
public record PostedMessage(Message message, @Nullable String connectionKey) {

    /** Without the key, which is a secret of the connection's client. */
    @Override
    public String toString() {
        return "PostedMessage[" + message + (connectionKey == null ? "" : ", for a connection") + "]";
    }
}
