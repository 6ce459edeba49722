package dev.doyen.cli;

import dev.doyen.elector.http.ListenAddress;
import dev.doyen.elector.http.TlsSettings;
import dev.doyen.elector.tls.ServerTls;
import dev.doyen.elector.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The TLS options that {@code doyen hub}, {@code doyen elector} and {@code doyen ring} share. */
final class TlsOptions {

    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description = "Serves TLS with the certificate chain in this PEM file. Needs --tls-key.")
    private @Nullable Path tlsCert;

    @Option(
            names = "--tls-key",
            paramLabel = "FILE",
            description = "PEM file with the private key of the certificate, without a password.")
    private @Nullable Path tlsKey;

    @Option(
            names = "--tls-client-ca",
            paramLabel = "FILE",
            description = "PEM file with certificate authorities. A client with a certificate of these authorities has"
                    + " the rights of the admin key. Other clients need no certificate.")
    private @Nullable Path tlsClientCa;

    @Option(
            names = "--tls-probes",
            description = "Serves also the probes and metrics over HTTPS. Without this option, they use plain HTTP.")
    private boolean tlsProbes;

    @Option(
            names = "--tls-redirect",
            paramLabel = "HOST:PORT",
            description = "A second address to listen on, which redirects plain HTTP to HTTPS.")
    private @Nullable String tlsRedirect;

    /**
     * Reads the certificate. The caller closes the result, or passes it to a server that closes it.
     *
     * @throws IllegalArgumentException if an option is missing or invalid, or if a file cannot be used; the message is
     *     for the user
     */
    TlsSettings open() {
        if (tlsCert == null && tlsKey == null) {
            String other = tlsRedirect != null
                    ? "--tls-redirect"
                    : tlsClientCa != null ? "--tls-client-ca" : tlsProbes ? "--tls-probes" : "";
            if (!other.isEmpty()) {
                throw new IllegalArgumentException(other + " has no effect without TLS; add --tls-cert FILE and"
                        + " --tls-key FILE, or leave out " + other);
            }
            return TlsSettings.NONE;
        }
        if (tlsCert == null || tlsKey == null) {
            throw new IllegalArgumentException((tlsCert == null ? "--tls-key" : "--tls-cert") + " also needs "
                    + (tlsCert == null ? "--tls-cert" : "--tls-key") + " FILE; give both or neither");
        }
        var address = Optional.ofNullable(tlsRedirect).map(ListenAddress::parse);
        var files = new TlsFiles(tlsCert, tlsKey, Optional.ofNullable(tlsClientCa));
        try {
            return new TlsSettings(Optional.of(ServerTls.open(files)), tlsProbes, address);
        } catch (IOException e) {
            throw new IllegalArgumentException(String.valueOf(e.getMessage()), e);
        }
    }
}
