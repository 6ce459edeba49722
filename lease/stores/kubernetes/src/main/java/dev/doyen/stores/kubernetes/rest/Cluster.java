package dev.doyen.stores.kubernetes.rest;

import dev.doyen.store.StoreUnavailableException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * An API server, with its certificate authority, this account's token and the namespace to use.
 *
 * @param server a URL such as {@code https://10.0.0.1:443}, without a trailing slash
 */
public record Cluster(URI server, SSLContext tls, BearerToken token, String namespace) {

    /**
     * Returns a cluster at which a token identifies this account.
     *
     * @param authorities a PEM file with the server's certificate authorities; read once
     * @param token a file with the token; read again as {@link BearerToken} describes
     * @throws StoreUnavailableException if the file {@code authorities} cannot be used
     */
    public static Cluster byToken(URI server, Path authorities, Path token, String namespace) {
        try {
            return new Cluster(
                    server,
                    Pem.tls(Optional.of(Files.readAllBytes(authorities)), Optional.empty(), Optional.empty()),
                    BearerToken.in(token, System::nanoTime),
                    namespace);
        } catch (NoSuchFileException e) {
            throw new StoreUnavailableException(
                    "kubernetes: there is no file " + authorities + " with what vouches for the API server", e);
        } catch (IOException | GeneralSecurityException e) {
            throw new StoreUnavailableException(
                    "kubernetes: what vouches for the API server cannot be read from " + authorities + ": "
                            + e.getMessage(),
                    e);
        }
    }

    /** Names the server in messages. */
    public String place() {
        return "the Kubernetes API server at " + server.getAuthority();
    }
}
