package dev.doyen.hub.auth;

/**
 * The key that has signed a token.
 *
 * @param name the name of the key
 * @param capability the operations that the token may allow at most
 */
record Signer(String name, Capability capability) {}
