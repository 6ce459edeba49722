package dev.doyen.stores.quorum;

import dev.doyen.store.StoreUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the URL of a quorum store. With a directory and an id the process is a member, without both it is a client:
 * {@code quorum://a:7800,b:7800,c:7800/path/to/directory?id=a} and {@code quorum://a:7800,b:7800,c:7800}.
 */
final class QuorumUrl {

    private static final String MEMBER = "quorum://a:7800,b:7800,c:7800/var/lib/doyen?id=a";
    private static final String CLIENT = "quorum://a:7800,b:7800,c:7800";

    private final StoreUrl url;

    private QuorumUrl(StoreUrl url) {
        this.url = url;
    }

    /** @throws IllegalArgumentException if it cannot be meant; the message is for users */
    static QuorumRole parse(String text) {
        StoreUrl url = StoreUrl.parse(text, QuorumSettings.DEFAULT_PORT, Set.of("id", "secret-file", "timeout-millis"));
        if (url.login().isPresent()) {
            throw new IllegalArgumentException(
                    "quorum: takes no user and no password; name the file with the members' secret: secret-file=/path");
        }
        return new QuorumUrl(url).role();
    }

    private QuorumRole role() {
        Optional<String> id = url.parameter("id");
        if (url.path().isEmpty()) {
            if (id.isPresent()) {
                throw new IllegalArgumentException("quorum: names id, so this process is a member, but no directory of"
                        + " this process; write " + MEMBER + ". A client needs neither: " + CLIENT);
            }
            return new QuorumClientSettings(addresses(), secret(), timeout());
        }
        String self = id.orElseThrow(() -> new IllegalArgumentException(
                "quorum: names a directory, so this process is a member, but not which one; add id, one of "
                        + String.join(", ", addresses()) + ". A client needs neither: " + CLIENT));
        return new QuorumSettings(addresses(), member(self), Path.of(url.path()), secret(), timeout());
    }

    private List<String> addresses() {
        return url.hosts().stream().map(StoreUrl.Host::toString).toList();
    }

    private Duration timeout() {
        return url.millis(
                "timeout-millis",
                QuorumSettings.DEFAULT_TIMEOUT,
                QuorumSettings.MIN_TIMEOUT,
                QuorumSettings.MAX_TIMEOUT);
    }

    /** A member is named by its host alone, if no other has the same host. */
    private String member(String id) {
        List<String> meant = url.hosts().stream()
                .filter(host -> host.name().equals(id) || host.toString().equals(id))
                .map(StoreUrl.Host::toString)
                .toList();
        if (meant.size() != 1) {
            throw new IllegalArgumentException("quorum: id is \"" + id + "\", which is "
                    + (meant.isEmpty() ? "none" : meant.size()) + " of the members "
                    + String.join(", ", addresses())
                    + (meant.isEmpty() ? "" : "; write host:port"));
        }
        return meant.get(0);
    }

    private Optional<String> secret() {
        return url.parameter("secret-file").map(file -> {
            try {
                return Files.readString(Path.of(file)).strip();
            } catch (IOException e) {
                throw new IllegalArgumentException(
                        "quorum: the secret cannot be read from " + file + ": " + e.getMessage(), e);
            }
        });
    }
}
