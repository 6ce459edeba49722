package dev.doyen.image.driver;

import dev.doyen.injector.certificate.ServingCertificate;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** TLS between the builder and the program that it rehearses. */
final class Tls {

    private static final char[] NO_PASSWORD = {};

    private Tls() {}

    /** For a server that shows this certificate. */
    static SSLContext serving(ServingCertificate certificate) throws IOException {
        try {
            var key = KeyFactory.getInstance("EC")
                    .generatePrivate(new PKCS8EncodedKeySpec(
                            Base64.getMimeDecoder().decode(certificate.key().replaceAll("-----[^-]+-----", ""))));
            var own = empty();
            own.setKeyEntry(
                    "own", key, NO_PASSWORD, read(certificate.certificate()).toArray(new Certificate[0]));
            var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(own, NO_PASSWORD);
            var context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("this Java has no TLS with elliptic curves", e);
        }
    }

    /** For a client of servers that these authorities, in PEM, vouch for. */
    static SSLContext trusting(String authorities) throws IOException {
        try {
            var trusted = empty();
            int n = 0;
            for (var each : read(authorities)) {
                trusted.setCertificateEntry("authority-" + n++, each);
            }
            var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(trusted);
            var context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IOException("these are no certificates", e);
        }
    }

    private static List<Certificate> read(String pem) throws GeneralSecurityException {
        return List.copyOf(CertificateFactory.getInstance("X.509")
                .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII))));
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }
}
