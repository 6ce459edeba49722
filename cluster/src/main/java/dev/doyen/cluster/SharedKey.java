package dev.doyen.cluster;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/** The key that members of a cluster share, made from the secret they share. The cluster's name salts it. */
final class SharedKey {

    /** Makes guessing a weak secret slow; costs each process about a tenth of a second, once. */
    private static final int ITERATIONS = 200_000;

    private static final int BITS = 256;

    private SharedKey() {}

    static SecretKey of(String secret, String cluster) {
        byte[] salt = ("doyen-cluster/" + cluster).getBytes(StandardCharsets.UTF_8);
        try {
            var spec = new PBEKeySpec(secret.toCharArray(), salt, ITERATIONS, BITS);
            byte[] key = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(spec)
                    .getEncoded();
            return new SecretKeySpec(key, "AES");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java cannot make a key from the cluster's secret", e);
        }
    }
}
