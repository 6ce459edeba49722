package dev.doyen.elector.http;

import dev.doyen.elector.http.CannotListenException.Port;
import dev.doyen.elector.tls.ServerTls;
import java.util.Optional;

/**
 * The TLS of a program's ports.
 *
 * <p>The ports of the probes and metrics have TLS only if {@code coversProbes} is true.
 *
 * @param certificate the certificate; empty if no port has TLS
 * @param coversProbes true if the ports of the probes and metrics also have TLS
 * @param redirect the address of a port that redirects plain HTTP to HTTPS; empty if there is no such port
 */
public record TlsSettings(Optional<ServerTls> certificate, boolean coversProbes, Optional<ListenAddress> redirect) {

    /** No port has TLS. */
    public static final TlsSettings NONE = new TlsSettings(Optional.empty(), false, Optional.empty());

    /** Returns the certificate of this port; empty if the port has no TLS. */
    Optional<ServerTls> of(Port port) {
        return switch (port) {
            case HUB, ELECTOR -> certificate;
            case PROBES, METRICS -> coversProbes ? certificate : Optional.empty();
            case REDIRECT -> Optional.empty();
        };
    }

    /** Returns the scheme of this port's URLs, {@code https} or {@code http}. */
    public String scheme(Port port) {
        return of(port).isPresent() ? "https" : "http";
    }

    /** Stops checking the files of the certificate. */
    public void close() {
        certificate.ifPresent(ServerTls::close);
    }
}
