package dev.doyen.injector.driver;

import dev.doyen.injector.certificate.ServingCertificate;
import dev.doyen.stores.kubernetes.rest.Pem;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** The certificate that the webhook serves to new connections. Threads: any. */
final class Shown {

    private record Pair(ServingCertificate certificate, SslContext context) {}

    private static final byte[] PROBE = {1, 2, 3};

    private volatile Optional<Pair> current = Optional.empty();
    private final CountDownLatch first = new CountDownLatch(1);

    /**
     * Serves this certificate from now on.
     *
     * @throws IOException if it is not a certificate with its key; the previous one then stays
     */
    void show(ServingCertificate certificate) throws IOException {
        try {
            var chain = Pem.certificates(bytes(certificate.certificate())).toArray(new X509Certificate[0]);
            var open = chain[0].getPublicKey();
            var key = Pem.privateKey(bytes(certificate.key()), open.getAlgorithm());
            requirePair(open, key);
            var context = SslContextBuilder.forServer(key, chain)
                    .sslProvider(SslProvider.JDK)
                    .protocols("TLSv1.3", "TLSv1.2")
                    .build();
            current = Optional.of(new Pair(certificate, context));
            first.countDown();
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new IOException("the webhook's certificate and key are no PEM certificate with its key", e);
        }
    }

    /** Checks that key and certificate match. Two files do not change at once, so one may be old and the other new. */
    private static void requirePair(PublicKey open, PrivateKey key) throws IOException, GeneralSecurityException {
        var algorithm = switch (open.getAlgorithm()) {
            case "EC" -> "SHA256withECDSA";
            case "RSA" -> "SHA256withRSA";
            default -> open.getAlgorithm();
        };
        var signing = Signature.getInstance(algorithm);
        signing.initSign(key);
        signing.update(PROBE);
        var checking = Signature.getInstance(algorithm);
        checking.initVerify(open);
        checking.update(PROBE);
        if (!checking.verify(signing.sign())) {
            throw new IOException("the webhook's certificate and key do not belong together");
        }
    }

    Optional<ServingCertificate> certificate() {
        return current.map(Pair::certificate);
    }

    /** Returns the TLS context for the next connection. Call it only after {@link #awaitFirst}. */
    SslContext context() {
        return current.orElseThrow().context();
    }

    void awaitFirst() throws InterruptedException {
        first.await();
    }

    private static byte[] bytes(String pem) {
        return pem.getBytes(StandardCharsets.US_ASCII);
    }
}
