package dev.doyen.store;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Election names as names that every file system and object store takes: letters, digits, {@code - _} and inner dots as
 * they are, other bytes of the UTF-8 form as {@code %XX}; names that grow too long keep a prefix and end in their
 * SHA-256. Upper-case letters are escaped too, for file systems that fold case.
 */
public final class LeaseFileNames {

    private static final int MAX_LENGTH = 180;
    private static final int KEPT_OF_LONG = 100;

    private LeaseFileNames() {}

    /** The name, without an ending: at most 180 ASCII characters; no two elections share one, but for a collision of SHA-256. */
    public static String of(String election) {
        byte[] bytes = election.getBytes(StandardCharsets.UTF_8);
        var name = new StringBuilder(bytes.length);
        for (byte b : bytes) {
            char c = (char) (b & 0xff);
            boolean plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
            if (plain || (c == '.' && name.length() > 0)) {
                name.append(c);
            } else {
                name.append('%').append(HexFormat.of().withUpperCase().toHexDigits(b));
            }
        }
        if (name.length() <= MAX_LENGTH) {
            return name.toString();
        }
        return name.substring(0, KEPT_OF_LONG) + "~" + HexFormat.of().formatHex(sha256(bytes));
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
