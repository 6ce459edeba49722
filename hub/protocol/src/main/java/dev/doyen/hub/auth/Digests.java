package dev.doyen.hub.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;

/** Derives public names from secret entropy. A derived name reveals nothing about the entropy. */
public final class Digests {

    private static final int NAME_BYTES = 9;

    private Digests() {}

    /**
     * Returns the SHA-256 digest of a text. The digest of a secret does not reveal the secret, because a secret has at
     * least 128 random bits.
     */
    public static String of(String secret) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(sha256(secret));
    }

    /** Returns twelve characters of {@code [A-Za-z0-9_-]}. The same purpose and entropy always return the same name. */
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
