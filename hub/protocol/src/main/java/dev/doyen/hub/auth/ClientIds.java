package dev.doyen.hub.auth;

import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import org.jspecify.annotations.Nullable;

/** Decides as which client a connection or a request may act. */
public final class ClientIds {

    private ClientIds() {}

    /**
     * Returns the client id for a message.
     *
     * @param who the kind of sender, for error messages
     * @param own the sender's client id: {@link Access#ANYBODY} for any, null for none
     */
    public static @Nullable String resolve(
            String who, @Nullable String own, @Nullable String requested, ClientIdRule rule) throws Refusal {
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
            throw new Refusal(
                    ErrorCode.BAD_CLIENT_ID, "\"*\" may campaign for any client, but is none; name the client");
        }
        rule.check(requested);
        // An equal string: do not store another copy for each member.
        return anybody ? requested : own;
    }
}
