package dev.doyen.hub;

import dev.doyen.hub.wire.ErrorCode;
import org.jspecify.annotations.Nullable;

/** Which client ids there are, and which of them a connection may speak as. */
final class ClientIds {

    /** The identity that may speak as anybody. */
    static final String ANYBODY = "*";

    private ClientIds() {}

    /** Refuses what is no client id. {@link #ANYBODY} is a connection's identity, never a member's. */
    static void check(String clientId, HubSettings settings) throws Refusal {
        if (clientId.isEmpty()) {
            throw new Refusal(ErrorCode.BAD_CLIENT_ID, "the client id is empty; leave it out, or name the client");
        }
        if (clientId.length() > settings.maxClientIdLength()) {
            throw new Refusal(
                    ErrorCode.BAD_CLIENT_ID,
                    "the client id has " + clientId.length() + " characters; at most " + settings.maxClientIdLength()
                            + " are allowed");
        }
        for (int i = 0; i < clientId.length(); i++) {
            if (Character.isISOControl(clientId.charAt(i))) {
                throw new Refusal(
                        ErrorCode.BAD_CLIENT_ID,
                        "the client id has a control character at position " + i + "; remove it");
            }
        }
    }

    /** Who a connection speaks as when a message names {@code requested}; null for nobody in particular. */
    static @Nullable String resolve(Connection connection, @Nullable String requested, HubSettings settings)
            throws Refusal {
        boolean anybody = connection.clientId.equals(ANYBODY);
        if (requested == null) {
            return anybody ? null : connection.clientId;
        }
        if (!anybody && !requested.equals(connection.clientId)) {
            throw new Refusal(
                    ErrorCode.BAD_CLIENT_ID,
                    "the connection speaks as " + Quote.of(connection.clientId) + ", not as " + Quote.of(requested)
                            + "; leave clientId out of messages, or connect as that client");
        }
        if (requested.equals(ANYBODY)) {
            throw new Refusal(ErrorCode.BAD_CLIENT_ID, "\"*\" may stand for any client, but is none; name the client");
        }
        check(requested, settings);
        return requested;
    }
}
