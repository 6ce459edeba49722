package dev.doyen.elector.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * A server's certificate with its key, and the authorities of client certificates.
 *
 * <p>Threads: any.
 */
public final class ServerCredentials {

    private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};
    /** The prefixes of the names of the TLS 1.3 cipher suites with AES or ChaCha20. */
    private static final List<String> TLS_1_3_SUITES = List.of("TLS_AES_", "TLS_CHACHA20_");

    private static final char[] NO_PASSWORD = {};

    static {
        // Otherwise a client of TLS 1.2 could make the server repeat the expensive handshake without limit.
        System.setProperty("jdk.tls.rejectClientInitiatedRenegotiation", "true");
    }

    private final SSLContext context;
    private final String[] cipherSuites;
    private final Instant expiry;
    private final boolean wantsClientCertificate;

    private ServerCredentials(SSLContext context, Instant expiry, boolean wantsClientCertificate) {
        this.context = context;
        this.cipherSuites = Stream.of(context.getDefaultSSLParameters().getCipherSuites())
                .filter(ServerCredentials::isStrong)
                .toArray(String[]::new);
        this.expiry = expiry;
        this.wantsClientCertificate = wantsClientCertificate;
    }

    /**
     * Creates the credentials.
     *
     * @param chain the server's certificate, followed by the certificates of its authorities
     * @param key the key of the server's certificate, as {@link dev.doyen.text.Pem#privateKey} returns it
     * @param clientAuthorities the authorities that may sign client certificates; empty if the server requests no
     *     client certificate
     * @throws GeneralSecurityException if this Java does not support the key
     */
    public static ServerCredentials of(
            List<X509Certificate> chain, PrivateKey key, List<X509Certificate> clientAuthorities)
            throws GeneralSecurityException {
        var own = emptyStore();
        own.setKeyEntry("server", key, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
        var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, NO_PASSWORD);
        var context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trustOf(clientAuthorities), null);
        return new ServerCredentials(context, chain.get(0).getNotAfter().toInstant(), !clientAuthorities.isEmpty());
    }

    /**
     * Returns true for a strong cipher suite.
     *
     * <p>The suites of TLS 1.3 with AES or ChaCha20 are strong. A suite of TLS 1.2 is strong if it has forward secrecy
     * and authenticated encryption (RFC 9325, section 4.2).
     */
    private static boolean isStrong(String suite) {
        boolean isAuthenticated = suite.contains("_GCM_") || suite.contains("_CHACHA20_");
        return TLS_1_3_SUITES.stream().anyMatch(suite::startsWith)
                || (suite.startsWith("TLS_ECDHE_") && isAuthenticated);
    }

    /**
     * Creates the TLS engine of one connection. The engine supports TLS 1.2 and 1.3, and only strong cipher suites.
     *
     * <p>If the server has authorities of client certificates, the engine requests a client certificate, but accepts
     * clients that have none.
     */
    public SSLEngine newEngine() {
        var engine = context.createSSLEngine();
        engine.setUseClientMode(false);
        engine.setEnabledProtocols(PROTOCOLS);
        engine.setEnabledCipherSuites(cipherSuites);
        engine.setWantClientAuth(wantsClientCertificate);
        return engine;
    }

    /** Returns the time at which the server's certificate expires. */
    public Instant expiry() {
        return expiry;
    }

    /**
     * Returns the trust managers; an empty array if there are no authorities.
     *
     * <p>With null instead of an empty array, the JDK would trust the system's authorities.
     */
    private static TrustManager[] trustOf(List<X509Certificate> authorities) throws GeneralSecurityException {
        if (authorities.isEmpty()) {
            return new TrustManager[0];
        }
        var trusted = emptyStore();
        for (int i = 0; i < authorities.size(); i++) {
            trusted.setCertificateEntry("authority-" + i, authorities.get(i));
        }
        var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        return trust.getTrustManagers();
    }

    private static KeyStore emptyStore() throws GeneralSecurityException {
        try {
            var store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            return store;
        } catch (IOException e) {
            throw new GeneralSecurityException(e);
        }
    }
}
