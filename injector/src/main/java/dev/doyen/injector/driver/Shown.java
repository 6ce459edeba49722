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

/** The certificate that new connections are shown. Threads: any. */
final class Shown {

    private record Pair(ServingCertificate certificate, SslContext context) {}

    private static final byte[] PROBE = {1, 2, 3};

    private volatile Optional<Pair> current = Optional.empty();
    private final CountDownLatch first = new CountDownLatch(1);

    /** From now on this one; {@link IOException} if it is no certificate with its key, and then the one before stays. */
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

    /** Two files are not replaced at once: one may be read before, the other after. */
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

    /** For the next connection; only once there is a first. */
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
