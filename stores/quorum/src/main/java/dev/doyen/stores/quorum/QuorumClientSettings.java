package dev.doyen.stores.quorum;

import dev.doyen.store.SharedKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How a process that is not a member works with a quorum: through one of the members at a time. It listens on no port and
 * needs no directory.
 *
 * @param members {@code host:port} where members can be found, 1 to 20, in any order; a host may be a name with several
 *     addresses, such as that of a headless Service
 * @param secret of the members; 16 to 1,000 characters; may be missing on loopback only
 * @param timeout after which a call is given up; 100 ms to 1 min
 */
public record QuorumClientSettings(List<String> members, Optional<String> secret, Duration timeout)
        implements QuorumRole {

    static final int MAX_MEMBERS = 20;

    public QuorumClientSettings {
        members = List.copyOf(members);
        if (members.isEmpty() || members.size() > MAX_MEMBERS) {
            throw new IllegalArgumentException("a client of a quorum needs 1 to " + MAX_MEMBERS
                    + " addresses of members, but " + members.size() + " are named");
        }
        members.forEach(MemberAddress::of);
        secret.ifPresent(SharedKey::check);
        QuorumSettings.checkTimeout(timeout);
    }

    /** A client with the usual timeout, and without a secret. */
    public static QuorumClientSettings of(List<String> members) {
        return new QuorumClientSettings(members, Optional.empty(), QuorumSettings.DEFAULT_TIMEOUT);
    }

    public QuorumClientSettings withSecret(String shared) {
        return new QuorumClientSettings(members, Optional.of(shared), timeout);
    }

    public QuorumClientSettings withTimeout(Duration next) {
        return new QuorumClientSettings(members, secret, next);
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "a client of the quorum at " + String.join(", ", members);
    }
}
