package dev.doyen.cluster;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * The key that members of a cluster share, made from the secret they share. The cluster's name salts it. Nothing is sealed
 * with it: each process seals with a key of its own session, made from it.
 */
final class SharedKey {

    /** Makes guessing a weak secret slow; costs each process a fraction of a second, once. */
    private static final int ITERATIONS = 600_000;

    private static final int BITS = 256;
    private static final String MAC = "HmacSHA256";

    private final SecretKey key;

    private SharedKey(SecretKey key) {
        this.key = key;
    }

    static SharedKey of(String secret, String cluster) {
        byte[] salt = ("doyen-cluster/" + cluster).getBytes(StandardCharsets.UTF_8);
        var spec = new PBEKeySpec(secret.toCharArray(), salt, ITERATIONS, BITS);
        try {
            byte[] key = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(spec)
                    .getEncoded();
            return new SharedKey(new SecretKeySpec(key, MAC));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java cannot make a key from the cluster's secret", e);
        } finally {
            spec.clearPassword();
        }
    }

    /** The key with which the process that drew this session seals. */
    SecretKey ofSession(byte[] session) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(key);
            mac.update("session".getBytes(StandardCharsets.UTF_8));
            return new SecretKeySpec(Arrays.copyOf(mac.doFinal(session), BITS / Byte.SIZE), "AES");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java cannot make a session's key", e);
        }
    }
}
