package dev.doyen.injector.certificate;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;

/**
 * The webhook's certificate and key, and the authorities that API servers must trust. All texts are in PEM format.
 *
 * @param authorities the authority of this certificate, followed by the authority of the previous certificate if there
 *     was one; empty if another program creates the certificate
 */
public record ServingCertificate(String certificate, String key, String authorities) {

    private static final String END = "-----END CERTIFICATE-----\n";

    /**
     * Returns the time of expiry.
     *
     * @throws IllegalArgumentException if {@code certificate} contains no valid certificate
     */
    public Instant expiry() {
        try {
            var pem = new ByteArrayInputStream(certificate.getBytes(StandardCharsets.US_ASCII));
            var parsed = CertificateFactory.getInstance("X.509").generateCertificate(pem);
            return ((X509Certificate) parsed).getNotAfter().toInstant();
        } catch (CertificateException e) {
            throw new IllegalArgumentException("the stored certificate of the webhook is not valid", e);
        }
    }

    /** Returns the authority that signed this certificate; empty if there are no {@code authorities}. */
    public String newestAuthority() {
        int end = authorities.indexOf(END);
        return end < 0 ? "" : authorities.substring(0, end + END.length());
    }

    /** Returns a text without the key, because the key is secret. */
    @Override
    public String toString() {
        return "ServingCertificate[until " + expiry() + "]";
    }
}
