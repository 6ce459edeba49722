package dev.doyen.hub;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/** Public names made from secret entropy: nothing of the one can be learned from the other. */
final class Digests {

    private static final int NAME_BYTES = 9;

    private Digests() {}

    /** Twelve characters of {@code [A-Za-z0-9_-]}, the same for the same purpose and entropy. */
    static String name(String purpose, String entropy) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256")
                    .digest((purpose + ":" + entropy).getBytes(StandardCharsets.UTF_8));
            return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, NAME_BYTES));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
