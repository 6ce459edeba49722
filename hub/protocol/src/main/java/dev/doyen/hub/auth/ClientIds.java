package dev.doyen.hub.auth;

import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import org.jspecify.annotations.Nullable;

/** Decides which client id a connection or a request may use. */
public final class ClientIds {

    private ClientIds() {}

    /**
     * Returns the client id for a message.
     *
     * <p>If the message names a client id, the result is that client id. Otherwise the result is the sender's own
     * client id, or null if the sender has none or every client id is allowed.
     *
     * <p>The method throws a {@link Refusal} if the sender may not use the requested client id.
     *
     * @param who the kind of sender, for error messages
     * @param own the sender's client id: {@link Access#ANYBODY} if every client id is allowed, null if there is none
     * @param requested the client id in the message; null if the message names none
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
                    "the " + who + "'s token is bound to no client id, so it cannot publish as " + Quote.of(requested)
                            + "; ask for a token with that client id");
        }
        if (!anybody && !requested.equals(own)) {
            throw new Refusal(
                    ErrorCode.BAD_CLIENT_ID,
                    "the " + who + " has the client id " + Quote.of(own) + ", not " + Quote.of(requested)
                            + "; leave clientId out of messages, or connect as that client");
        }
        if (requested.equals(Access.ANYBODY)) {
            throw new Refusal(
                    ErrorCode.BAD_CLIENT_ID, "\"*\" permits every client id, but is not a client id; name the client");
        }
        rule.check(requested);
        // If the sender has its own client id, both strings are equal. Return own, so that all members of a connection
        // share one string in memory.
        return anybody ? requested : own;
    }
}
