package dev.doyen.server.claims;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Opens the leases that a server's claims stand on. */
@FunctionalInterface
public interface ClaimsOpener {

    /**
     * Opens them, with whatever the directory holds from earlier runs.
     *
     * @param dataDirectory exists and can be written
     * @param defaultElection the election to look at from the start, claimed or not
     * @param claimTtl how long the lease of a hub that vanished is respected (W)
     * @throws IOException if what the directory holds cannot be used; the message is a sentence
     */
    Claims open(Path dataDirectory, String defaultElection, Duration claimTtl) throws IOException;
}
