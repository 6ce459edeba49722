package dev.doyen.injector.driver;

import dev.doyen.injector.certificate.ServingCertificate;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.List;
import java.util.Optional;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.X509v3CertificateBuilder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * Creates certificates for the webhook. Each certificate is signed by its own new authority.
 *
 * <p>The authority's key is discarded at once, so this authority can sign no other certificate.
 *
 * <p>Source: RFC 5280.
 */
public final class CertificateMaker {

    private static final X500Name AUTHORITY = new X500Name("CN=Doyen injector's authority");
    private static final X500Name SERVER = new X500Name("CN=Doyen injector");
    private static final int SERIAL_BITS = 127;

    /** The maximum time by which an API server's clock may be behind the injector's clock. */
    private static final Duration BACKDATED = Duration.ofHours(1);

    private final List<String> hosts;
    private final Duration life;
    private final SecureRandom random = new SecureRandom();

    /** @param hosts the host names under which API servers call the webhook */
    public CertificateMaker(List<String> hosts, Duration life) {
        if (hosts.isEmpty()) {
            throw new IllegalArgumentException("the webhook's certificate needs a host name; name one");
        }
        this.hosts = List.copyOf(hosts);
        this.life = life;
    }

    /**
     * Creates a certificate that expires one lifetime after {@code now}.
     *
     * <p>If {@code before} contains an authority, the new list of authorities contains it too, so that API servers
     * trust both certificates.
     */
    public ServingCertificate make(Instant now, Optional<ServingCertificate> before) {
        try {
            var authorityKeys = keys();
            var serverKeys = keys();
            var authority = builder(AUTHORITY, now, AUTHORITY, authorityKeys)
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(0))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign));
            var server = builder(AUTHORITY, now, SERVER, serverKeys)
                    .addExtension(Extension.basicConstraints, true, new BasicConstraints(false))
                    .addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature))
                    .addExtension(
                            Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth))
                    .addExtension(Extension.subjectAlternativeName, false, alternativeNames());
            return new ServingCertificate(
                    pem(sign(server, authorityKeys.getPrivate())),
                    pem("PRIVATE KEY", serverKeys.getPrivate().getEncoded()),
                    pem(sign(authority, authorityKeys.getPrivate()))
                            + before.map(ServingCertificate::newestAuthority).orElse(""));
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw new IllegalStateException("this Java cannot create certificates for elliptic curves", e);
        }
    }

    private KeyPair keys() throws GeneralSecurityException {
        var generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"), random);
        return generator.generateKeyPair();
    }

    private X509v3CertificateBuilder builder(X500Name issuer, Instant now, X500Name subject, KeyPair keys) {
        return new JcaX509v3CertificateBuilder(
                issuer,
                new BigInteger(SERIAL_BITS, random).add(BigInteger.ONE),
                Date.from(now.minus(BACKDATED)),
                Date.from(now.plus(life)),
                subject,
                keys.getPublic());
    }

    private GeneralNames alternativeNames() {
        return new GeneralNames(hosts.stream()
                .map(host -> new GeneralName(GeneralName.dNSName, host))
                .toArray(GeneralName[]::new));
    }

    private static X509CertificateHolder sign(X509v3CertificateBuilder certificate, PrivateKey key)
            throws OperatorCreationException {
        return certificate.build(new JcaContentSignerBuilder("SHA256withECDSA").build(key));
    }

    private static String pem(X509CertificateHolder certificate) throws IOException {
        return pem("CERTIFICATE", certificate.getEncoded());
    }

    private static String pem(String what, byte[] bytes) {
        var text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes);
        return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
    }
}
