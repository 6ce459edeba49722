package dev.doyen.stores.quorum;

import java.time.Duration;
import java.util.Optional;

/** The role of a process in a quorum: a member or a client. */
public sealed interface QuorumRole permits QuorumSettings, QuorumClientSettings {

    /** Returns the secret of all members and clients. The secret is optional only if all addresses are loopback. */
    Optional<String> secret();

    /** Returns the time after which a call fails. */
    Duration timeout();
}
