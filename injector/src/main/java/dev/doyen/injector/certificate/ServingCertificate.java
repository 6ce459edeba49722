package dev.doyen.injector.certificate;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;

/**
 * What the webhook shows, and what the API server needs to trust it; all in PEM.
 *
 * @param authorities the certificate that signed this one, then at most one that signed the one before
 */
public record ServingCertificate(String certificate, String key, String authorities) {

    private static final String END = "-----END CERTIFICATE-----\n";

    /** When it stops to be good; {@link IllegalArgumentException} if it is no certificate. */
    public Instant expiry() {
        try {
            var pem = new ByteArrayInputStream(certificate.getBytes(StandardCharsets.US_ASCII));
            var parsed = CertificateFactory.getInstance("X.509").generateCertificate(pem);
            return ((X509Certificate) parsed).getNotAfter().toInstant();
        } catch (CertificateException e) {
            throw new IllegalArgumentException("what is stored as the webhook's certificate is none", e);
        }
    }

    /** The authority that signed this one. */
    public String newestAuthority() {
        int end = authorities.indexOf(END);
        return end < 0 ? "" : authorities.substring(0, end + END.length());
    }

    /** Says no more than needed: the key is nobody's business. */
    @Override
    public String toString() {
        return "ServingCertificate[until " + expiry() + "]";
    }
}
