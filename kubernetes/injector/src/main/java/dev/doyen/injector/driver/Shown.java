package dev.doyen.injector.driver;

import dev.doyen.elector.tls.ServerCredentials;
import dev.doyen.injector.certificate.ServingCertificate;
import dev.doyen.text.Pem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import javax.net.ssl.SSLEngine;

/** The certificate that the webhook serves to new connections. Threads: any. */
final class Shown {

    private record Pair(ServingCertificate certificate, ServerCredentials credentials) {}

    private volatile Optional<Pair> current = Optional.empty();
    private final CountDownLatch first = new CountDownLatch(1);

    /**
     * Sets the certificate that the webhook serves from now on.
     *
     * @param source the place of the certificate and its key, for the message of the exception
     * @throws IOException if the key does not belong to the certificate, or one of them is invalid; the previous
     *     certificate then stays
     */
    void show(ServingCertificate certificate, String source) throws IOException {
        current = Optional.of(new Pair(certificate, credentials(certificate, source)));
        first.countDown();
    }

    /**
     * Returns the credentials with which a server serves this certificate.
     *
     * @param source the place of the certificate and its key, for the message of the exception
     * @throws IOException if the key does not belong to the certificate, or one of them is invalid
     */
    static ServerCredentials credentials(ServingCertificate certificate, String source) throws IOException {
        try {
            var chain = Pem.certificates(bytes(certificate.certificate()));
            var key = Pem.privateKey(bytes(certificate.key()), chain.get(0));
            return ServerCredentials.of(chain, key, List.of());
        } catch (GeneralSecurityException e) {
            throw new IOException(source + " are not a PEM certificate with its key: " + e.getMessage(), e);
        }
    }

    Optional<ServingCertificate> certificate() {
        return current.map(Pair::certificate);
    }

    /** Returns the TLS engine of the next connection. The caller must call {@link #awaitFirst} first. */
    SSLEngine newEngine() {
        return current.orElseThrow().credentials().newEngine();
    }

    void awaitFirst() throws InterruptedException {
        first.await();
    }

    private static byte[] bytes(String pem) {
        return pem.getBytes(StandardCharsets.US_ASCII);
    }
}
