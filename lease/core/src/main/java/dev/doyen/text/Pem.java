package dev.doyen.text;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads certificates and private keys in PEM format (RFC 7468).
 *
 * <p>Keys are in PKCS #8 (RFC 5208), PKCS #1 (RFC 8017) or SEC 1 (RFC 5915). kubeadm and k3s write PKCS #1 and SEC 1.
 * Java reads keys only in PKCS #8, so this class wraps the other two forms in PKCS #8.
 */
public final class Pem {

    private static final Pattern KEY = Pattern.compile("-----BEGIN ([A-Z ]*)PRIVATE KEY-----([^-]+)-----END");

    private static final byte[] RSA = hex("300d06092a864886f70d0101010500");
    private static final byte[] EC_TYPE = hex("06072a8648ce3d0201");
    private static final List<byte[]> CURVES =
            List.of(hex("06082a8648ce3d030107"), hex("06052b81040022"), hex("06052b81040023"));

    /** The bytes that are signed to check whether two keys belong together. */
    private static final byte[] PROBE = {1, 2, 3};

    private Pem() {}

    /** Returns all certificates in the text, at least one. */
    public static List<X509Certificate> certificates(byte[] pem) throws GeneralSecurityException {
        List<X509Certificate> found =
                CertificateFactory.getInstance("X.509").generateCertificates(new ByteArrayInputStream(pem)).stream()
                        .map(X509Certificate.class::cast)
                        .toList();
        if (found.isEmpty()) {
            throw new GeneralSecurityException("it contains no certificate");
        }
        return found;
    }

    /**
     * Returns the first private key in the text.
     *
     * @throws GeneralSecurityException if the text contains no valid key, or if the key does not belong to the
     *     certificate. The files of the key and the certificate are replaced one after the other, so possibly only one
     *     of them is new
     */
    public static PrivateKey privateKey(byte[] pem, X509Certificate certificate) throws GeneralSecurityException {
        PublicKey publicKey = certificate.getPublicKey();
        PrivateKey key = privateKey(pem, publicKey.getAlgorithm());
        if (!isPair(publicKey, key)) {
            throw new GeneralSecurityException(
                    "the certificate and the key do not belong together; replace one of them");
        }
        return key;
    }

    private static boolean isPair(PublicKey publicKey, PrivateKey key) throws GeneralSecurityException {
        String algorithm = switch (publicKey.getAlgorithm()) {
            case "EC" -> "SHA256withECDSA";
            case "RSA" -> "SHA256withRSA";
            default -> publicKey.getAlgorithm();
        };
        Signature signing = Signature.getInstance(algorithm);
        signing.initSign(key);
        signing.update(PROBE);
        Signature checking = Signature.getInstance(algorithm);
        checking.initVerify(publicKey);
        checking.update(PROBE);
        return verifies(checking, signing.sign());
    }

    /**
     * Returns false if the signature is wrong or malformed. A key of another size can produce a malformed signature.
     */
    private static boolean verifies(Signature checking, byte[] signature) {
        try {
            return checking.verify(signature);
        } catch (GeneralSecurityException e) {
            return false;
        }
    }

    private static PrivateKey privateKey(byte[] pem, String algorithm) throws GeneralSecurityException {
        Matcher found = KEY.matcher(new String(pem, StandardCharsets.US_ASCII));
        if (!found.find()) {
            throw new GeneralSecurityException("it contains no private key");
        }
        byte[] der = decoded(found.group(2));
        byte[] pkcs8 = switch (found.group(1).trim()) {
            case "" -> der;
            case "RSA" -> pkcs8(RSA, der);
            case "EC" -> pkcs8(tagged(0x30, joined(EC_TYPE, curve(der))), der);
            default ->
                throw new GeneralSecurityException("it contains a private key of the kind "
                        + found.group(1).trim() + "; convert it to PKCS #8 without a password");
        };
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
    }

    private static byte[] decoded(String base64) throws GeneralSecurityException {
        try {
            return Base64.getMimeDecoder().decode(base64);
        } catch (IllegalArgumentException e) {
            throw new GeneralSecurityException("the private key is not valid Base64", e);
        }
    }

    private static byte[] curve(byte[] sec1) throws GeneralSecurityException {
        String text = HexFormat.of().formatHex(sec1);
        return CURVES.stream()
                .filter(each -> text.contains(HexFormat.of().formatHex(each)))
                .findFirst()
                .orElseThrow(() -> new GeneralSecurityException("a key on none of the curves P-256, P-384, P-521"));
    }

    private static byte[] pkcs8(byte[] algorithm, byte[] key) {
        return tagged(0x30, joined(hex("020100"), algorithm, tagged(0x04, key)));
    }

    /** Encodes a value in ASN.1 DER: tag, length, content. */
    private static byte[] tagged(int tag, byte[] content) {
        int n = content.length;
        byte[] head = n < 0x80
                ? new byte[] {(byte) tag, (byte) n}
                : n < 0x100
                        ? new byte[] {(byte) tag, (byte) 0x81, (byte) n}
                        : new byte[] {(byte) tag, (byte) 0x82, (byte) (n >> 8), (byte) n};
        return joined(head, content);
    }

    private static byte[] joined(byte[]... parts) {
        var all = new ByteArrayOutputStream();
        for (byte[] part : parts) {
            all.writeBytes(part);
        }
        return all.toByteArray();
    }

    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }
}
