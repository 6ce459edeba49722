package dev.doyen.hub.auth;

import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The rights that a valid key or token grants to a client.
 *
 * @param keyName the name of the key, or of the key that signed the token
 * @param clientId the client: {@link #ANYBODY} for any, null for none
 * @param capability the allowed operations
 * @param revocationKey a name by which tokens can be revoked together; null for none
 * @param issuedMillis when the token was issued, in milliseconds since the epoch; empty for a key
 * @param expiresMillis when the token expires, in milliseconds since the epoch; empty for a key
 */
public record Access(
        String keyName,
        @Nullable String clientId,
        Capability capability,
        @Nullable String revocationKey,
        OptionalLong issuedMillis,
        OptionalLong expiresMillis) {

    /** The client id of an access that may act for any client. */
    public static final String ANYBODY = "*";

    /** The access without credentials. It allows nothing. */
    public static final Access NOBODY =
            new Access("", null, Capability.NONE, null, OptionalLong.empty(), OptionalLong.empty());

    /** The access of a key. It may act for any client and never expires. */
    static Access byKey(String keyName, Capability capability) {
        return new Access(keyName, ANYBODY, capability, null, OptionalLong.empty(), OptionalLong.empty());
    }

    public boolean isToken() {
        return expiresMillis.isPresent();
    }

    public boolean allows(String channel, Operation operation) {
        return capability.allows(channel, operation);
    }

    /**
     * Returns the client id to use; null for none.
     *
     * <p>Errors: a {@link Refusal} if the token is not valid for that client.
     *
     * @param requested the client id that the client asks for; null if it names none
     */
    public @Nullable String speakingAs(@Nullable String requested) throws Refusal {
        if (requested == null || requested.equals(clientId)) {
            return clientId;
        }
        if (clientId == null) {
            throw new Refusal(
                    ErrorCode.INCOMPATIBLE_CREDENTIALS,
                    "the token is bound to no client id, so it is not good for " + Quote.of(requested)
                            + "; ask for a token with that client id");
        }
        if (!clientId.equals(ANYBODY)) {
            throw new Refusal(
                    ErrorCode.INCOMPATIBLE_CREDENTIALS,
                    "the token is bound to client " + Quote.of(clientId) + ", and not good for " + Quote.of(requested));
        }
        return requested;
    }
}
