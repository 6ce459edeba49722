package dev.doyen.server.claims;

import java.io.IOException;
import java.time.Duration;

/** Opens the leases that a server's claims stand on. */
@FunctionalInterface
public interface ClaimsOpener {

    /**
     * Opens them, with whatever the store holds from earlier runs.
     *
     * @param store the store's URL
     * @param defaultElection the election to look at from the start, claimed or not
     * @param claimTtl how long the lease of a hub that vanished is respected (W)
     * @throws IOException if the store cannot be used; the message is a sentence
     * @throws IllegalArgumentException if the URL cannot be meant; the message is a sentence without any password
     */
    Claims open(String store, String defaultElection, Duration claimTtl) throws IOException;
}
