package dev.doyen.hub.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/** Derives public names from secret entropy. A name reveals nothing about the entropy. */
public final class Digests {

    private static final int NAME_BYTES = 9;

    private Digests() {}

    /** Returns a digest that identifies a secret. The secret has at least 128 random bits, so it cannot be guessed. */
    public static String of(String secret) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(sha256(secret));
    }

    /** Returns twelve characters of {@code [A-Za-z0-9_-]}, always the same for a purpose and entropy. */
    public static String name(String purpose, String entropy) {
        byte[] digest = sha256(purpose + ":" + entropy);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(Arrays.copyOf(digest, NAME_BYTES));
    }

    private static byte[] sha256(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
