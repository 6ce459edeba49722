package dev.doyen.hub.auth;

import dev.doyen.hub.wire.ErrorCode;
import dev.doyen.hub.wire.Quote;
import dev.doyen.hub.wire.Refusal;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What somebody has proved by a key or a token.
 *
 * @param keyName the key itself, or the one that the token was made from
 * @param clientId who it is: {@link #ANYBODY} may speak as any client, null as none
 * @param capability what it may do
 * @param revocationKey a word by which tokens may be revoked together; null if it has none
 * @param issuedMillis since when a token is good, in milliseconds since the epoch; empty for a key
 * @param expiresMillis when a token ends, likewise
 */
public record Access(
        String keyName,
        @Nullable String clientId,
        Capability capability,
        @Nullable String revocationKey,
        OptionalLong issuedMillis,
        OptionalLong expiresMillis) {

    /** The identity that may speak as anybody. */
    public static final String ANYBODY = "*";

    /** Nothing was proved. */
    public static final Access NOBODY =
            new Access("", null, Capability.NONE, null, OptionalLong.empty(), OptionalLong.empty());

    /** Of a key: it may speak as anybody, and never ends. */
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
     * Who speaks, if {@code requested} is asked for; null for nobody in particular.
     *
     * <p>Errors: a {@link Refusal} if a token is not good for that client.
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
