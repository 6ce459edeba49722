package dev.doyen.hub.server.claims;

import java.io.IOException;

/** Opens the claims of a server on a store. */
@FunctionalInterface
public interface ClaimsOpener {

    /**
     * Opens the claims on the store, which can contain records of earlier runs.
     *
     * @param store the store's URL
     * @throws IOException if the store cannot be used; the message is a sentence
     * @throws IllegalArgumentException if the URL is invalid; the message is a sentence without any password
     */
    Claims open(String store, ClaimSettings settings) throws IOException;
}
