package dev.doyen.store.support;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A key that several processes derive from their shared secret.
 *
 * <p>This class does not encrypt anything. Each session between two processes has its own key, which is derived from
 * this key.
 *
 * <p>Threads: any. Source: PBKDF2 of RFC 8018.
 */
public final class SharedKey {

    /** The minimum length of a secret in characters. */
    public static final int MIN_SECRET = 16;

    /** The maximum length of a secret in characters. */
    public static final int MAX_SECRET = 1_000;

    private static final int MIN_DISTINCT = 8;

    /**
     * The number of PBKDF2 iterations. The iterations slow down an attack that guesses a weak secret. Each derivation
     * takes a fraction of a second.
     */
    private static final int ITERATIONS = 600_000;

    private static final int BITS = 256;
    private static final String MAC = "HmacSHA256";

    private final SecretKey key;

    private SharedKey(SecretKey key) {
        this.key = key;
    }

    /**
     * Derives the key, which takes a fraction of a second.
     *
     * <p>The key depends on all three texts. So the same secret results in different keys for different purposes.
     *
     * @param purpose the use of the key, such as {@code doyen-cluster}; without a slash
     * @param name the group of processes that use the key, such as a cluster
     * @throws IllegalArgumentException if the purpose contains a slash
     */
    public static SharedKey of(String secret, String purpose, String name) {
        if (purpose.indexOf('/') >= 0) {
            throw new IllegalArgumentException("the purpose of a key is \"" + purpose + "\"; it must not have a slash");
        }
        byte[] salt = (purpose + "/" + name).getBytes(StandardCharsets.UTF_8);
        var spec = new PBEKeySpec(secret.toCharArray(), salt, ITERATIONS, BITS);
        try {
            byte[] key = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(spec)
                    .getEncoded();
            return new SharedKey(new SecretKeySpec(key, MAC));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java cannot derive a key from a secret", e);
        } finally {
            spec.clearPassword();
        }
    }

    /**
     * Checks the length of a secret and the number of its different characters.
     *
     * @throws IllegalArgumentException if the secret has fewer than {@value #MIN_SECRET} or more than
     *     {@value #MAX_SECRET} characters, or too few different ones
     */
    public static void check(String secret) {
        if (secret.length() < MIN_SECRET || secret.length() > MAX_SECRET) {
            throw new IllegalArgumentException("the secret has " + secret.length() + " characters; it needs "
                    + MIN_SECRET + " to " + MAX_SECRET + ", preferably random ones");
        }
        long distinct = secret.chars().distinct().count();
        if (distinct < MIN_DISTINCT) {
            throw new IllegalArgumentException("the secret has only " + distinct + " different characters; it needs "
                    + MIN_DISTINCT + ", preferably random ones");
        }
    }

    /**
     * Returns the AES key of one session.
     *
     * @param session the random bytes that both sides of the session pass; they are not secret
     */
    public SecretKey ofSession(byte[] session) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(key);
            mac.update("session".getBytes(StandardCharsets.UTF_8));
            return new SecretKeySpec(Arrays.copyOf(mac.doFinal(session), BITS / Byte.SIZE), "AES");
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java cannot derive the key of a session", e);
        }
    }
}
