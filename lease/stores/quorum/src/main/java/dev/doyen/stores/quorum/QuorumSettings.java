package dev.doyen.stores.quorum;

import dev.doyen.store.support.SharedKey;
import dev.doyen.text.DurationText;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * The settings of a process that takes part in a quorum as a member.
 *
 * <p>All founders must have the same member list in the same order. All processes must have the same secret. A process
 * that is not in the list joins the quorum of the listed members, and never founds a quorum.
 *
 * @param members the address {@code host:port} of each member; a new quorum needs 3, 5 or 7 members. Each connection
 *     attempt resolves the host name again
 * @param self the address {@code host:port} at which other processes reach this process; one of the members, or a new
 *     address
 * @param listen the address {@code host:port} on which this process listens, if it differs from {@code self};
 *     {@code 0.0.0.0:port} means every local address
 * @param directory the directory that only this process uses; created if it is missing
 * @param secret the secret of all members, with 16 to 1,000 characters; optional only if all addresses are loopback
 * @param timeout the time after which a call fails, from 100 ms to 1 min
 */
public record QuorumSettings(
        List<String> members,
        String self,
        Optional<String> listen,
        Path directory,
        Optional<String> secret,
        Duration timeout)
        implements QuorumRole {

    public static final int DEFAULT_PORT = 7800;
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

    /** The maximum number of voters and learners together. */
    static final int MAX_MEMBERS = MemberChangePlan.MAX_VOTERS + MemberChangePlan.MAX_LEARNERS;

    static final Duration MIN_TIMEOUT = Duration.ofMillis(100);
    static final Duration MAX_TIMEOUT = Duration.ofMinutes(1);

    public QuorumSettings {
        members = List.copyOf(members);
        if (members.size() < 2 || members.size() > MAX_MEMBERS) {
            throw new IllegalArgumentException(
                    "a quorum has 2 to " + MAX_MEMBERS + " members, and a new one 3, 5 or 7; " + members.size()
                            + " are named: " + String.join(", ", members));
        }
        if (new HashSet<>(members).size() < members.size()) {
            throw new IllegalArgumentException("a member is named twice: " + String.join(", ", members));
        }
        members.forEach(MemberAddress::of);
        MemberAddress.of(self);
        listen.ifPresent(MemberAddress::of);
        secret.ifPresent(SharedKey::check);
        checkTimeout(timeout);
    }

    /** Returns settings with the default timeout and without a secret. The member listens on {@code self}. */
    public static QuorumSettings of(List<String> members, String self, Path directory) {
        return new QuorumSettings(members, self, Optional.empty(), directory, Optional.empty(), DEFAULT_TIMEOUT);
    }

    /**
     * Returns settings with another address to listen on. Use this method if the machine does not have the address
     * {@code self}.
     */
    public QuorumSettings withListen(String hostAndPort) {
        return new QuorumSettings(members, self, Optional.of(hostAndPort), directory, secret, timeout);
    }

    /**
     * Returns settings with this secret.
     *
     * @throws IllegalArgumentException if the secret is too short, too long, or has too few different characters
     */
    public QuorumSettings withSecret(String shared) {
        return new QuorumSettings(members, self, listen, directory, Optional.of(shared), timeout);
    }

    /**
     * Returns settings with another timeout of a call.
     *
     * @throws IllegalArgumentException if the timeout is not 100 ms to 1 min
     */
    public QuorumSettings withTimeout(Duration next) {
        return new QuorumSettings(members, self, listen, directory, secret, next);
    }

    /** Returns the settings as text, without the secret. */
    @Override
    public String toString() {
        return self + " of the quorum " + String.join(", ", members);
    }

    static void checkTimeout(Duration timeout) {
        if (timeout.compareTo(MIN_TIMEOUT) < 0 || timeout.compareTo(MAX_TIMEOUT) > 0) {
            throw new IllegalArgumentException("timeout is " + DurationText.of(timeout) + "; its bounds are "
                    + DurationText.of(MIN_TIMEOUT) + " and " + DurationText.of(MAX_TIMEOUT));
        }
    }
}
