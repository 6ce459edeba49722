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
     * @throws IOException if the key does not belong to the certificate, or one of them is invalid; the previous
     *     certificate then stays
     */
    void show(ServingCertificate certificate) throws IOException {
        try {
            var chain = Pem.certificates(bytes(certificate.certificate()));
            var key = Pem.privateKey(
                    bytes(certificate.key()), chain.get(0).getPublicKey().getAlgorithm());
            current = Optional.of(new Pair(certificate, ServerCredentials.of(chain, key, List.of())));
            first.countDown();
        } catch (GeneralSecurityException e) {
            throw new IOException(
                    "the files of the webhook are not a PEM certificate with its key: " + e.getMessage(), e);
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
