package dev.doyen.stores.quorum;

import java.time.Duration;
import java.util.Optional;

/** How a process works with a quorum: as one of the members, or as a client of them. */
public sealed interface QuorumRole permits QuorumSettings, QuorumClientSettings {

    /** What all members and clients share; may be missing on loopback only. */
    Optional<String> secret();

    /** After this time a call is given up. */
    Duration timeout();
}
