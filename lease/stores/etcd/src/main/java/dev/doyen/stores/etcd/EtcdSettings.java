package dev.doyen.stores.etcd;

import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.support.StoreUrl;
import dev.doyen.text.Pem;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.ClientBuilder;
import io.netty.handler.ssl.SslContextBuilder;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.SSLException;

/**
 * The settings for access to an etcd cluster, parsed from a URL.
 *
 * @param prefix the beginning of the store's keys, with a trailing slash
 * @param timeout the limit for each call
 * @param ca a PEM file with the servers' certificate authorities; empty for the system's authorities
 * @param certificate a PEM file with the client's certificate; requires {@code key}
 */
record EtcdSettings(
        StoreUrl url,
        String prefix,
        Duration timeout,
        boolean tls,
        Optional<File> ca,
        Optional<File> certificate,
        Optional<File> key) {

    /** The limit in bytes for an answer, which suffices for 128 records of maximum size. */
    private static final int MAX_ANSWER_BYTES = 16 * 1024 * 1024;

    /**
     * The interval of keepalive pings. The servers close the connection if this interval is shorter than their
     * --grpc-keepalive-min-time, by default 5 s.
     */
    private static final Duration KEEPALIVE = Duration.ofSeconds(10);

    static EtcdSettings of(String text) {
        StoreUrl url = StoreUrl.parse(text, 2379, Set.of("timeout-millis", "tls", "ca", "cert", "key"));
        boolean tls = switch (url.parameter("tls").orElse("false")) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw new IllegalArgumentException("etcd: tls is true or false, not \""
                        + url.parameter("tls").orElse("") + "\"");
        };
        if (!tls && (url.parameter("ca").isPresent() || url.parameter("cert").isPresent())) {
            throw new IllegalArgumentException("etcd: ca and cert require tls=true");
        }
        if (url.parameter("cert").isPresent() != url.parameter("key").isPresent()) {
            throw new IllegalArgumentException("etcd: cert and key go together; one of them is missing");
        }
        return new EtcdSettings(
                url,
                (url.path().isEmpty() ? "/doyen" : url.path()) + "/",
                url.millis("timeout-millis", Duration.ofSeconds(2), Duration.ofMillis(50), Duration.ofMinutes(1)),
                tls,
                url.parameter("ca").map(File::new),
                url.parameter("cert").map(File::new),
                url.parameter("key").map(File::new));
    }

    /**
     * Returns a client that sends each request at most once. Without a connection, a request fails at once.
     *
     * <p>If the client repeated or queued requests, the server could carry out a request long after the caller's
     * timeout.
     */
    Client client() {
        ClientBuilder builder = Client.builder()
                .endpoints(url.hosts().stream()
                        .map(host -> (tls ? "https://" : "http://") + host)
                        .toArray(String[]::new))
                .connectTimeout(timeout)
                .keepaliveTime(KEEPALIVE)
                .keepaliveTimeout(timeout)
                .retryMaxAttempts(0)
                .waitForReady(false)
                .maxInboundMessageSize(MAX_ANSWER_BYTES);
        url.login().ifPresent(login -> builder.user(bytes(login.user())).password(bytes(login.password())));
        if (tls) {
            try {
                builder.sslContext(this::trust);
            } catch (SSLException | IllegalArgumentException e) {
                throw new StoreUnavailableException(
                        "the certificates for " + url.place() + " cannot be used: " + e.getMessage(), e);
            }
        }
        return builder.build();
    }

    private void trust(SslContextBuilder ssl) {
        ca.ifPresent(ssl::trustManager);
        certificate.ifPresent(file -> identify(ssl, file, key.orElseThrow()));
    }

    private static void identify(SslContextBuilder ssl, File certificate, File key) {
        try {
            List<X509Certificate> chain = Pem.certificates(Files.readAllBytes(certificate.toPath()));
            ssl.keyManager(Pem.privateKey(Files.readAllBytes(key.toPath()), chain.get(0)), chain);
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    certificate + " and " + key + " are not a PEM certificate with its key: " + e.getMessage(), e);
        }
    }

    static ByteSequence bytes(String text) {
        return ByteSequence.from(text, StandardCharsets.UTF_8);
    }
}
