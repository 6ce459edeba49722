package dev.doyen.stores.quorum;

import dev.doyen.store.support.SharedKey;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of a quorum client. A client uses one member at a time.
 *
 * <p>The client listens on no port and needs no directory.
 *
 * @param members the addresses {@code host:port} of 1 to 20 members in any order; a host may be a name with several
 *     addresses, such as the name of a headless Service
 * @param secret the secret of the members, with 16 to 1,000 characters; optional only if all addresses are loopback
 * @param timeout the time after which a call fails, from 100 ms to 1 min
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

    /** Returns settings with the default timeout and without a secret. */
    public static QuorumClientSettings of(List<String> members) {
        return new QuorumClientSettings(members, Optional.empty(), QuorumSettings.DEFAULT_TIMEOUT);
    }

    /**
     * Returns settings with this secret.
     *
     * @throws IllegalArgumentException if the secret is too short, too long, or has too few different characters
     */
    public QuorumClientSettings withSecret(String shared) {
        return new QuorumClientSettings(members, Optional.of(shared), timeout);
    }

    /**
     * Returns settings with another timeout of a call.
     *
     * @throws IllegalArgumentException if the timeout is not 100 ms to 1 min
     */
    public QuorumClientSettings withTimeout(Duration next) {
        return new QuorumClientSettings(members, secret, next);
    }

    /** Returns the settings as text, without the secret. */
    @Override
    public String toString() {
        return "a client of the quorum at " + String.join(", ", members);
    }
}
