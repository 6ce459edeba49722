package dev.doyen.store.support;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Encodes election names as names that every file system and object store accepts.
 *
 * <p>Lower-case letters, digits, {@code -}, {@code _} and all dots except a leading one stay as they are. All other
 * bytes of the UTF-8 form become {@code %XX}. This includes upper-case letters, because some file systems ignore case.
 * If the encoded name is too long, the result consists of its beginning, {@code ~} and the SHA-256 of the original
 * name.
 */
public final class LeaseFileNames {

    private static final int MAX_LENGTH = 180;
    private static final int KEPT_OF_LONG = 100;

    private LeaseFileNames() {}

    /**
     * Returns the encoded name, without a suffix: at most 180 ASCII characters.
     *
     * <p>Two elections have the same encoded name only if the SHA-256 hashes of their names collide.
     */
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
