package dev.doyen.stores.kubernetes.rest;

import dev.doyen.text.Pem;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Creates TLS contexts from PEM certificates and keys, as kubeconfig files contain them. */
public final class PemTls {

    private PemTls() {}

    /**
     * Returns a TLS context for the client or the server of a connection.
     *
     * @param ca the authorities that may certify the peer; empty for the system's authorities
     * @param certificate the certificate of this process; ignored if {@code key} is empty
     * @throws GeneralSecurityException if a text is invalid, or if the key does not belong to the certificate
     */
    public static SSLContext of(Optional<byte[]> ca, Optional<byte[]> certificate, Optional<byte[]> key)
            throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance("TLS");
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        if (ca.isPresent()) {
            KeyStore trusted = empty();
            int n = 0;
            for (Certificate each : Pem.certificates(ca.get())) {
                trusted.setCertificateEntry("ca-" + n++, each);
            }
            trust.init(trusted);
        } else {
            trust.init((KeyStore) null);
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        KeyStore own = empty();
        char[] noPassword = {};
        if (certificate.isPresent() && key.isPresent()) {
            X509Certificate[] chain = Pem.certificates(certificate.get()).toArray(new X509Certificate[0]);
            own.setKeyEntry("own", Pem.privateKey(key.get(), chain[0]), noPassword, chain);
        }
        keys.init(own, noPassword);
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    private static KeyStore empty() throws GeneralSecurityException {
        try {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            return store;
        } catch (IOException e) {
            throw new GeneralSecurityException(e);
        }
    }
}
