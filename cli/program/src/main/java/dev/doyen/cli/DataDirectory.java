package dev.doyen.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;

/**
 * The folder with the data that must survive a restart of the server.
 *
 * <p>It contains the key and the leases. Only its owner can access a new folder.
 */
record DataDirectory(Path path) {

    private static final String KEY_FILE = "key";

    /** Opens the folder, creates it if necessary, and checks that it is writable. */
    static DataDirectory open(Path path) throws CommandFailedException {
        try {
            if (!Files.isDirectory(path)) {
                Files.createDirectories(path, ownerOnly("rwx------"));
            }
            Files.delete(Files.createTempFile(path, "try", ""));
            return new DataDirectory(path);
        } catch (FileAlreadyExistsException e) {
            throw new CommandFailedException(
                    "The data directory " + path + " is a file; choose another with --data DIR.", e);
        } catch (IOException e) {
            throw new CommandFailedException(
                    "The data directory " + path + " cannot be written (" + reason(e)
                            + "); choose another with --data DIR.",
                    e);
        }
    }

    /**
     * Returns the server's API key, which is stored in this folder.
     *
     * <p>The first start of the server creates the key, and later starts use the same key. Therefore tokens that the key
     * has signed are still valid after a restart.
     */
    ApiKey key(SecureRandom random) throws CommandFailedException {
        var file = path.resolve(KEY_FILE);
        try {
            if (!Files.exists(file)) {
                write(file, ApiKey.random(random));
            }
            return new ApiKey(Files.readString(file, StandardCharsets.UTF_8).strip());
        } catch (IllegalArgumentException e) {
            throw new CommandFailedException(
                    "The key in " + file + " cannot be used: " + e.getMessage() + "; delete the file to get a new one.",
                    e);
        } catch (IOException e) {
            throw new CommandFailedException("The key in " + file + " cannot be read (" + reason(e) + ").", e);
        }
    }

    /**
     * Writes the key atomically.
     *
     * <p>A non-atomic write could leave an incomplete key after a crash, and the server could not start again.
     */
    private void write(Path file, ApiKey key) throws IOException {
        var draft = Files.createTempFile(path, "key", ".tmp", ownerOnly("rw-------"));
        Files.writeString(draft, key.text() + "\n", StandardCharsets.UTF_8);
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
    }

    private static FileAttribute<?>[] ownerOnly(String permissions) {
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        return posix
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }

    private static String reason(IOException e) {
        return e.getClass().getSimpleName().replace("Exception", "");
    }
}
