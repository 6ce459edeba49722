package dev.doyen.hub.server.issuers;

import dev.doyen.hub.auth.TrustedIssuer;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;

/**
 * A trusted token issuer with the place of its key set.
 *
 * @param jwks the path of a file, or a URL
 */
public record IssuerSource(TrustedIssuer issuer, String jwks) {

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    /** Throws {@link IllegalArgumentException} unless {@code jwks} is a path or a permitted URL. */
    public IssuerSource {
        if (jwks.contains("://")) {
            URI url = URI.create(jwks);
            boolean isSecure = "https".equals(url.getScheme())
                    || ("http".equals(url.getScheme()) && LOOPBACK.contains(String.valueOf(url.getHost())));
            if (!isSecure || url.getHost() == null || url.getRawUserInfo() != null) {
                throw new IllegalArgumentException(
                        "the URL of a key set begins with https://HOST, or on this machine with http://localhost");
            }
        } else {
            try {
                Path unused = Path.of(jwks);
            } catch (InvalidPathException e) {
                throw new IllegalArgumentException("this is no path of a file", e);
            }
        }
    }

    /** Returns the URL; empty if the key set is a file. */
    Optional<URI> url() {
        return jwks.contains("://") ? Optional.of(URI.create(jwks)) : Optional.empty();
    }
}
