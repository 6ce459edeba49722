package dev.doyen.demo.quorum.driver;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The temporary directory of one demonstration.
 *
 * <p>It contains a directory and a log for each member, and the shared secret.
 */
record DemoFolder(Path root) {

    private static final int SECRET_BYTES = 24;

    private static final int MAX_LINE_BYTES = 1_000;

    /** The maximum number of attempts to delete a tree. An attempt fails while a process writes into the tree. */
    private static final int MAX_ATTEMPTS = 20;

    /** Creates the directory and a random secret. Only the user of this process can read the directory. */
    static DemoFolder create() throws IOException {
        var folder = new DemoFolder(Files.createTempDirectory("doyen-quorum-"));
        var secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        Files.writeString(folder.secretFile(), HexFormat.of().formatHex(secret));
        return folder;
    }

    /** Returns the shared secret of the members. Other users of this machine cannot connect without the secret. */
    String secret() {
        try {
            return Files.readString(secretFile());
        } catch (IOException e) {
            throw new UncheckedIOException("the secret of the members cannot be read", e);
        }
    }

    private Path secretFile() {
        return root.resolve("secret");
    }

    Path member(int number) {
        return root.resolve("member-" + number);
    }

    /** Returns the file with the standard error of this member's process. */
    Path log(int number) {
        return root.resolve("member-" + number + ".log");
    }

    /** Returns the last line of this member's log; an empty string if there is none. */
    String lastLine(int number) {
        try (var file = new RandomAccessFile(log(number).toFile(), "r")) {
            file.seek(Math.max(0, file.length() - MAX_LINE_BYTES));
            var bytes = new byte[MAX_LINE_BYTES];
            int read = Math.max(0, file.read(bytes));
            return new String(bytes, 0, read, StandardCharsets.UTF_8)
                    .strip()
                    .lines()
                    .reduce("", (before, last) -> last);
        } catch (IOException e) {
            return "";
        }
    }

    void deleteMember(int number) {
        delete(member(number));
        delete(log(number));
    }

    void delete() {
        delete(root);
    }

    /**
     * Deletes a directory tree, and retries while another process writes into it. Errors are ignored, because the
     * tree is temporary.
     */
    private static void delete(Path file) {
        for (int i = 0; i < MAX_ATTEMPTS && Files.exists(file); i++) {
            try {
                Files.walkFileTree(file, new Deletion());
            } catch (IOException e) {
                Thread.onSpinWait();
            }
        }
    }

    private static final class Deletion extends SimpleFileVisitor<Path> {
        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
        }

        /** Continues, because another process may have deleted the file. */
        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) {
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
        }
    }
}
