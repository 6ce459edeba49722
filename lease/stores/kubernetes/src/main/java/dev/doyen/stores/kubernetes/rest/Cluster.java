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
 * The address of an API server, its certificate authority, this account's token and the namespace.
 *
 * @param server a URL such as {@code https://10.0.0.1:443}, without a trailing slash
 */
public record Cluster(URI server, SSLContext tls, BearerToken token, String namespace) {

    /**
     * Returns a cluster for an account that a token identifies.
     *
     * @param authorities a PEM file with the server's certificate authorities, which is read once
     * @param token a file with the token, which is read again as {@link BearerToken} describes
     * @throws StoreUnavailableException if the file {@code authorities} cannot be used
     */
    public static Cluster byToken(URI server, Path authorities, Path token, String namespace) {
        try {
            return new Cluster(
                    server,
                    PemTls.of(Optional.of(Files.readAllBytes(authorities)), Optional.empty(), Optional.empty()),
                    BearerToken.in(token, System::nanoTime),
                    namespace);
        } catch (NoSuchFileException e) {
            throw new StoreUnavailableException(
                    "kubernetes: there is no file " + authorities + " with the certificate authority of the API server",
                    e);
        } catch (IOException | GeneralSecurityException e) {
            throw new StoreUnavailableException(
                    "kubernetes: the certificate authority of the API server cannot be read from " + authorities + ": "
                            + e.getMessage(),
                    e);
        }
    }

    /** Returns the description of the server that messages contain. */
    public String place() {
        return "the Kubernetes API server at " + server.getAuthority();
    }
}
