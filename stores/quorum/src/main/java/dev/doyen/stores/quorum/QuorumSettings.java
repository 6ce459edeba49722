package dev.doyen.stores.quorum;

import dev.doyen.event.DurationText;
import dev.doyen.store.SharedKey;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;

/**
 * How a process takes part in a quorum as a member. All founders name the same members in the same order. All processes have
 * the same secret. A process that is none of the named members joins their quorum, and never founds one.
 *
 * @param members {@code host:port} of each member; 3, 5 or 7 for a new quorum. A name is resolved at each connection
 * @param self where others find this process, {@code host:port}; one of the members, or a new one
 * @param listen {@code host:port} to listen on, if that is not {@code self}; {@code 0.0.0.0:port} is every address
 * @param directory of this process alone; made if it is missing
 * @param secret what the members share; 16 to 1,000 characters; may be missing on loopback only
 * @param timeout after which a call is given up; 100 ms to 1 min
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

    /** Voters and learners. */
    static final int MAX_MEMBERS = MemberPlan.MAX_VOTERS + MemberPlan.MAX_LEARNERS;

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

    /** A member with the usual timeout, and without a secret. It listens where the others find it. */
    public static QuorumSettings of(List<String> members, String self, Path directory) {
        return new QuorumSettings(members, self, Optional.empty(), directory, Optional.empty(), DEFAULT_TIMEOUT);
    }

    /** Listens here, because the machine does not have the address at which others find this process. */
    public QuorumSettings withListen(String hostAndPort) {
        return new QuorumSettings(members, self, Optional.of(hostAndPort), directory, secret, timeout);
    }

    public QuorumSettings withSecret(String shared) {
        return new QuorumSettings(members, self, listen, directory, Optional.of(shared), timeout);
    }

    public QuorumSettings withTimeout(Duration next) {
        return new QuorumSettings(members, self, listen, directory, secret, next);
    }

    /** Without the secret. */
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
