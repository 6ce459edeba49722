package dev.doyen.stores.quorum;

import dev.doyen.event.DurationText;
import dev.doyen.store.SharedKey;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How a process takes part in a quorum as a member. All members name the same members in the same order, and have the same secret.
 *
 * @param members {@code host:port} of each member; 3, 5 or 7
 * @param self the member that this process is; it listens at this address
 * @param directory of this process alone; made if it is missing
 * @param secret what the members share; 16 to 1,000 characters; may be missing on loopback only
 * @param timeout after which a call is given up; 100 ms to 1 min
 */
public record QuorumSettings(
        List<String> members, String self, Path directory, Optional<String> secret, Duration timeout)
        implements QuorumRole {

    public static final int DEFAULT_PORT = 7800;
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

    private static final Set<Integer> SIZES = Set.of(3, 5, 7);
    static final Duration MIN_TIMEOUT = Duration.ofMillis(100);
    static final Duration MAX_TIMEOUT = Duration.ofMinutes(1);

    public QuorumSettings {
        members = List.copyOf(members);
        if (!SIZES.contains(members.size())) {
            throw new IllegalArgumentException("a quorum has 3, 5 or 7 members, but " + members.size() + " are named: "
                    + String.join(", ", members));
        }
        if (new HashSet<>(members).size() < members.size()) {
            throw new IllegalArgumentException("a member is named twice: " + String.join(", ", members));
        }
        if (!members.contains(self)) {
            throw new IllegalArgumentException(
                    "this process is \"" + self + "\", which is none of the members " + String.join(", ", members));
        }
        secret.ifPresent(SharedKey::check);
        checkTimeout(timeout);
    }

    /** A member with the usual timeout, and without a secret. */
    public static QuorumSettings of(List<String> members, String self, Path directory) {
        return new QuorumSettings(members, self, directory, Optional.empty(), DEFAULT_TIMEOUT);
    }

    public QuorumSettings withSecret(String shared) {
        return new QuorumSettings(members, self, directory, Optional.of(shared), timeout);
    }

    public QuorumSettings withTimeout(Duration next) {
        return new QuorumSettings(members, self, directory, secret, next);
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
