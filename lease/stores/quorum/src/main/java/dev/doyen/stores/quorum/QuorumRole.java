package dev.doyen.stores.quorum;

import java.time.Duration;
import java.util.Optional;

/** The role of a process in a quorum: a member or a client. */
public sealed interface QuorumRole permits QuorumSettings, QuorumClientSettings {

    /** The secret of all members and clients; optional on loopback only. */
    Optional<String> secret();

    /** The time after which a call fails. */
    Duration timeout();
}
