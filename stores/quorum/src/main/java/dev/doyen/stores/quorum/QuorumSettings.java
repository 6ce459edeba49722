package dev.doyen.stores.quorum;

import dev.doyen.event.DurationText;
import dev.doyen.store.SharedKey;
import dev.doyen.store.StoreUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * How a process takes part in a quorum. All founders name the same members in the same order. All processes have the same
 * secret. A process that is none of the named members joins their quorum, and never founds one.
 *
 * @param members {@code host:port} of each member; 3, 5 or 7 for a new quorum
 * @param self where this process listens, {@code host:port}; one of the members, or a new one
 * @param directory of this process alone; made if it is missing
 * @param secret what the members share; 16 to 1,000 characters; may be missing on loopback only
 * @param timeout after which a call is given up; 100 ms to 1 min
 */
public record QuorumSettings(
        List<String> members, String self, Path directory, Optional<String> secret, Duration timeout) {

    public static final int DEFAULT_PORT = 7800;
    public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(2);

    /** Voters and learners. */
    private static final int MAX_MEMBERS = MemberPlan.MAX_VOTERS + MemberPlan.MAX_LEARNERS;

    private static final Duration MIN_TIMEOUT = Duration.ofMillis(100);
    private static final Duration MAX_TIMEOUT = Duration.ofMinutes(1);

    public QuorumSettings {
        members = List.copyOf(members);
        if (members.size() < 2 || members.size() > MAX_MEMBERS) {
            throw new IllegalArgumentException("a quorum has 2 to " + MAX_MEMBERS + " members, and a new one 3, 5 or 7; "
                    + members.size() + " are named: " + String.join(", ", members));
        }
        if (new HashSet<>(members).size() < members.size()) {
            throw new IllegalArgumentException("a member is named twice: " + String.join(", ", members));
        }
        secret.ifPresent(SharedKey::check);
        if (timeout.compareTo(MIN_TIMEOUT) < 0 || timeout.compareTo(MAX_TIMEOUT) > 0) {
            throw new IllegalArgumentException("timeout is " + DurationText.of(timeout) + "; its bounds are "
                    + DurationText.of(MIN_TIMEOUT) + " and " + DurationText.of(MAX_TIMEOUT));
        }
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

    /** Reads {@code quorum://a:7800,b:7800,c:7800/path/to/directory?id=a}. */
    static QuorumSettings parse(String text) {
        StoreUrl url = StoreUrl.parse(text, DEFAULT_PORT, Set.of("id", "secret-file", "timeout-millis"));
        if (url.login().isPresent()) {
            throw new IllegalArgumentException(
                    "quorum: takes no user and no password; name the file with the members' secret: secret-file=/path");
        }
        if (url.path().isEmpty()) {
            throw new IllegalArgumentException(
                    "quorum: needs a directory of this process, such as quorum://a:7800,b:7800,c:7800/var/lib/doyen?id=a");
        }
        List<String> members = url.hosts().stream().map(StoreUrl.Host::toString).toList();
        String id = url.parameter("id")
                .orElseThrow(() -> new IllegalArgumentException(
                        "quorum: needs id, the member that this process is: " + String.join(", ", members)));
        return new QuorumSettings(
                members,
                member(url.hosts(), id),
                Path.of(url.path()),
                url.parameter("secret-file").map(QuorumSettings::secret),
                url.millis("timeout-millis", DEFAULT_TIMEOUT, MIN_TIMEOUT, MAX_TIMEOUT));
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return self + " of the quorum " + String.join(", ", members);
    }

    /** A member is named by its host alone, if no other has the same host. A new one is named by host and port. */
    private static String member(List<StoreUrl.Host> hosts, String id) {
        List<String> meant = hosts.stream()
                .filter(host -> host.name().equals(id) || host.toString().equals(id))
                .map(StoreUrl.Host::toString)
                .toList();
        if (meant.isEmpty() && id.matches("[^:/]+:[0-9]{1,5}|\\[[0-9a-fA-F:.]+]:[0-9]{1,5}")) {
            return id;
        }
        if (meant.size() != 1) {
            throw new IllegalArgumentException("quorum: id is \"" + id + "\", which is "
                    + (meant.isEmpty() ? "none" : meant.size()) + " of the members "
                    + String.join(
                            ", ", hosts.stream().map(StoreUrl.Host::toString).toList())
                    + "; write host:port" + (meant.isEmpty() ? " if this process is to join them" : ""));
        }
        return meant.get(0);
    }

    static String secret(String file) {
        try {
            return Files.readString(Path.of(file)).strip();
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "quorum: the secret cannot be read from " + file + ": " + e.getMessage(), e);
        }
    }
}
