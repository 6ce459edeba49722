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
 * @param app the sandbox app whose channels the client uses; {@link AppChannels#NONE} for the channels of the hub
 * @param clientId the client id: {@link #ANYBODY} if every client id is allowed, null if there is no client id
 * @param capability the allowed operations
 * @param revocationKey a name that several tokens can share, so that one request can revoke them all; null if the token
 *     has none
 * @param issuedMillis when the token was issued, in milliseconds since the epoch; empty for a key
 * @param expiresMillis when the token expires, in milliseconds since the epoch; empty for a key
 */
public record Access(
        String keyName,
        String app,
        @Nullable String clientId,
        Capability capability,
        @Nullable String revocationKey,
        OptionalLong issuedMillis,
        OptionalLong expiresMillis) {

    /** The client id in an access that allows every client id. */
    public static final String ANYBODY = "*";

    /** The access of a client without credentials, which has no rights. */
    public static final Access NOBODY =
            new Access("", AppChannels.NONE, null, Capability.NONE, null, OptionalLong.empty(), OptionalLong.empty());

    /** Returns the access of a key. The access allows every client id and never expires. */
    static Access byKey(String keyName, String app, Capability capability) {
        return new Access(keyName, app, ANYBODY, capability, null, OptionalLong.empty(), OptionalLong.empty());
    }

    /** Returns the access of the same client after the capability of its key has changed. */
    Access limitedBy(HubKey key) {
        return isToken()
                ? new Access(
                        keyName,
                        app,
                        clientId,
                        capability.intersect(key.capability()),
                        revocationKey,
                        issuedMillis,
                        expiresMillis)
                : key.access();
    }

    public boolean isToken() {
        return expiresMillis.isPresent();
    }

    /**
     * Returns true if the client may perform the operation on the channel.
     *
     * @param channel the internal name of the channel, see {@link AppChannels}
     */
    public boolean allows(String channel, Operation operation) {
        return AppChannels.appOf(channel).equals(app) && capability.allows(AppChannels.nameOf(channel), operation);
    }

    /**
     * Returns the client id to use, or null if there is none. Throws a {@link Refusal} if the token is not valid for
     * the requested client id.
     *
     * @param requested the client id that the client asks for; null if the client names none
     */
    public @Nullable String resolveClientId(@Nullable String requested) throws Refusal {
        if (requested == null || requested.equals(clientId)) {
            return clientId;
        }
        if (clientId == null) {
            throw new Refusal(
                    ErrorCode.INCOMPATIBLE_CREDENTIALS,
                    "the token is not bound to a client id, so it does not permit " + Quote.of(requested)
                            + "; ask for a token with that client id");
        }
        if (!clientId.equals(ANYBODY)) {
            throw new Refusal(
                    ErrorCode.INCOMPATIBLE_CREDENTIALS,
                    "the token is bound to client " + Quote.of(clientId) + ", and does not permit "
                            + Quote.of(requested));
        }
        return requested;
    }

    /**
     * Returns the name of the caller for limits and quotas.
     *
     * <p>For a key, the result contains the name of the key. For a token with a client id, the result contains the name
     * of the key and the client id. For any other token, the result is a digest of the token's content, so another
     * encoding of the same token is not a new caller.
     */
    public String caller() {
        if (!isToken()) {
            return "key " + keyName;
        }
        return isBoundToClient() ? "client " + keyName + " " + clientId : "token " + Digests.of(toString());
    }

    /** Returns the caller for error texts. */
    public String shownCaller() {
        String key = "the key " + Quote.of(keyName);
        if (!isToken()) {
            return key;
        }
        return isBoundToClient()
                ? "the client " + Quote.of(String.valueOf(clientId)) + " of " + key
                : "this token of " + key;
    }

    private boolean isBoundToClient() {
        return clientId != null && !clientId.equals(ANYBODY);
    }
}
