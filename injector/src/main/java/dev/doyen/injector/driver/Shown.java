package dev.doyen.injector.driver;

import dev.doyen.injector.certificate.ServingCertificate;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;

/** The certificate that new connections are shown. Threads: any. */
final class Shown {

    private record Pair(ServingCertificate certificate, SslContext context) {}

    private volatile Optional<Pair> current = Optional.empty();
    private final CountDownLatch first = new CountDownLatch(1);

    /** From now on this one; {@link IOException} if it is no certificate with its key, and then the one before stays. */
    void show(ServingCertificate certificate) throws IOException {
        try {
            var context = SslContextBuilder.forServer(stream(certificate.certificate()), stream(certificate.key()))
                    .sslProvider(SslProvider.JDK)
                    .protocols("TLSv1.3", "TLSv1.2")
                    .build();
            current = Optional.of(new Pair(certificate, context));
            first.countDown();
        } catch (IllegalArgumentException e) {
            throw new IOException("the webhook's certificate and key are no PEM certificate with its PKCS#8 key", e);
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

    private static ByteArrayInputStream stream(String pem) {
        return new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
    }
}
