package dev.doyen.image.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/** Calculates SHA-256 sums. */
final class Checksums {

    private Checksums() {}

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    static String hex(MessageDigest sum) {
        return HexFormat.of().formatHex(sum.digest());
    }

    /** Returns one line for each file, in the format of the program {@code sha256sum}. */
    static String of(List<Path> files) throws IOException {
        var lines = new StringBuilder();
        for (var file : files) {
            var sum = sha256();
            sum.update(Files.readAllBytes(file));
            lines.append(hex(sum)).append("  ").append(file.getFileName()).append('\n');
        }
        return lines.toString();
    }
}
