package dev.doyen.hub;

import dev.doyen.hub.auth.Access;
import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import org.jspecify.annotations.Nullable;

/** Which client ids a connection, or a request, may speak as. */
final class ClientIds {

    private ClientIds() {}

    /** Who a connection speaks as when a message names {@code requested}; null for nobody in particular. */
    static @Nullable String resolve(Connection connection, @Nullable String requested, HubSettings settings)
            throws Refusal {
        return resolve("connection", connection.clientId, requested, settings);
    }

    /**
     * The same for whoever it is.
     *
     * @param who for sentences
     * @param own {@link Access#ANYBODY}, a client, or null for none
     */
    static @Nullable String resolve(String who, @Nullable String own, @Nullable String requested, HubSettings settings)
            throws Refusal {
        boolean anybody = Access.ANYBODY.equals(own);
        if (requested == null) {
            return anybody ? null : own;
        }
        if (own == null) {
            throw new Refusal(
                    ErrorCode.BAD_CLIENT_ID,
                    "the " + who + "'s token is bound to no client id, so it cannot speak as " + Quote.of(requested)
                            + "; ask for a token with that client id");
        }
        if (!anybody && !requested.equals(own)) {
            throw new Refusal(
                    ErrorCode.BAD_CLIENT_ID,
                    "the " + who + " speaks as " + Quote.of(own) + ", not as " + Quote.of(requested)
                            + "; leave clientId out of messages, or come as that client");
        }
        if (requested.equals(Access.ANYBODY)) {
            throw new Refusal(ErrorCode.BAD_CLIENT_ID, "\"*\" may stand for any client, but is none; name the client");
        }
        settings.clientIdRule().check(requested);
        // The same word, but not another copy of it for each member.
        return anybody ? requested : own;
    }
}
