package dev.doyen.hub.auth;

/**
 * The key that has signed a token.
 *
 * @param name the name of the key
 * @param app the sandbox app of the key; {@link AppChannels#NONE} for a key of the hub or of a token issuer
 * @param capability the operations that the token may allow at most
 */
record Signer(String name, String app, Capability capability) {}
