package dev.doyen.hub.auth;

import java.util.Optional;

/**
 * The names of a client in the audit log. They contain no secret.
 *
 * @param keyName the name of the client's key, or of the key that signed its token; empty if the client has not
 *     authenticated
 * @param tokenId a digest that identifies the client's token; empty for a client with a key
 * @param clientId the client id; empty if the client has none
 */
public record ClientIdentity(String keyName, Optional<String> tokenId, Optional<String> clientId) {

    /** A client that has not authenticated. */
    public static final ClientIdentity UNKNOWN = new ClientIdentity("", Optional.empty(), Optional.empty());

    /** Returns the names of a client with this access. */
    public static ClientIdentity of(Access access, Optional<String> clientId) {
        Optional<String> token =
                access.isToken() ? Optional.of(Digests.name("token", access.toString())) : Optional.empty();
        return new ClientIdentity(access.keyName(), token, clientId);
    }
}
