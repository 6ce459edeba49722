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

/** The temporary directory of one demonstration: a directory and a log per member, and the secret. */
record DemoFolder(Path root) {

    private static final int SECRET_BYTES = 24;

    private static final int MAX_LINE_BYTES = 1_000;

    /** Enough attempts, because a process that still writes into the directory ends at the same time. */
    private static final int MAX_ATTEMPTS = 20;

    /** Creates the directory, which only its owner can read, and a random secret. */
    static DemoFolder create() throws IOException {
        var folder = new DemoFolder(Files.createTempDirectory("doyen-quorum-"));
        var secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        Files.writeString(folder.secretFile(), HexFormat.of().formatHex(secret));
        return folder;
    }

    /** The shared secret of the members, which keeps other users of this machine out. */
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

    /** The file with the standard error of this member's process. */
    Path log(int number) {
        return root.resolve("member-" + number + ".log");
    }

    /** The last line of that log; empty if there is none. */
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

    /** Deletes a tree, and retries if another process writes into it. Errors are ignored, because it is temporary. */
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

        /** Another process has deleted the file. */
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
