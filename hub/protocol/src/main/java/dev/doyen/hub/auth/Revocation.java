package dev.doyen.hub.auth;

/**
 * A revocation of tokens, in the form in which a hub stores it.
 *
 * @param keyName the name of the key whose tokens are revoked
 * @param target {@code clientId:NAME} or {@code revocationKey:NAME}
 * @param issuedBeforeMillis the time before which the revoked tokens were issued, in milliseconds since the epoch
 */
public record Revocation(String keyName, String target, long issuedBeforeMillis) {}
