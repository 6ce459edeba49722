package dev.doyen.hub.server.claims;

import java.io.IOException;
import java.time.Duration;

/** Opens the claims of a server over a store. */
@FunctionalInterface
public interface ClaimsOpener {

    /**
     * Opens the claims, with the records that earlier runs left in the store.
     *
     * @param store the store's URL
     * @param defaultElection the election to observe from the start, even without a claim
     * @param claimTtl how long the lease of a vanished hub stays live (W)
     * @throws IOException if the store cannot be used; the message is a sentence
     * @throws IllegalArgumentException if the URL is invalid; the message is a sentence without any password
     */
    Claims open(String store, String defaultElection, Duration claimTtl) throws IOException;
}
