package dev.doyen.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The few things that {@link SharedLease} and {@link LeaseFile} do with their folder, so that a test can come between any
 * two of them.
 *
 * <p>Errors: {@link IOException} of whatever the file system says.
 */
class LeaseFolder {

    static final String TEMPORARY = ".new-";

    private static final long MAX_FILE_BYTES = 256 * 1024;

    private final Path directory;

    LeaseFolder(Path directory) {
        this.directory = directory;
    }

    /** The revisions there are. One that is there from before the call to after it is among them (POSIX, readdir). */
    SortedSet<Long> revisions() throws IOException {
        SortedSet<Long> found = new TreeSet<>();
        try (var files = Files.newDirectoryStream(directory)) {
            for (Path file : files) {
                String name = file.getFileName().toString();
                if (name.matches("[1-9][0-9]{0,17}")) {
                    found.add(Long.parseLong(name));
                }
            }
        } catch (NoSuchFileException e) {
            // No folder, no revisions.
        }
        return found;
    }

    /** The files whose names begin so. One that is there from before the call to after it is among them (POSIX, readdir). */
    Set<String> named(String prefix) throws IOException {
        Set<String> found = new HashSet<>();
        try (var files = Files.newDirectoryStream(
                directory, file -> file.getFileName().toString().startsWith(prefix))) {
            files.forEach(file -> found.add(file.getFileName().toString()));
        }
        return found;
    }

    /** The text of a file; empty if there is no such file. */
    Optional<String> text(String name) throws IOException {
        Path file = directory.resolve(name);
        try {
            if (Files.size(file) > MAX_FILE_BYTES) {
                throw new StoreUnavailableException(file + " is not a lease record: it is larger than " + MAX_FILE_BYTES
                        + " bytes; move it away only if its term may be forgotten");
            }
            return Optional.of(Files.readString(file));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        }
    }

    /** The folder itself, if it is not there. */
    void make() throws IOException {
        Files.createDirectories(directory);
    }

    /** A new file with this text, on the disk before this returns; only its maker ever writes to it. */
    void create(String name, String text) throws IOException {
        try (var channel =
                FileChannel.open(directory.resolve(name), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    /** Gives the file a second name; false if that name is taken. On the disk before this returns true. */
    boolean link(String name, String second) throws IOException {
        try {
            Files.createLink(directory.resolve(second), directory.resolve(name));
        } catch (FileAlreadyExistsException e) {
            return false;
        }
        sync();
        return true;
    }

    /** Puts the file in another's place; false if it is not there any more. On the disk before this returns true. */
    boolean replace(String name, String replaced) throws IOException {
        try {
            Files.move(directory.resolve(name), directory.resolve(replaced), StandardCopyOption.ATOMIC_MOVE);
        } catch (NoSuchFileException e) {
            return false;
        }
        sync();
        return true;
    }

    void delete(String name) throws IOException {
        Files.deleteIfExists(directory.resolve(name));
    }

    String where(String name) {
        return directory.resolve(name).toString();
    }

    private void sync() throws IOException {
        try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        } catch (FileSystemException e) {
            // Some file systems let nobody open a directory; there the server alone decides when it is on the disk.
            System.getLogger("dev.doyen").log(System.Logger.Level.DEBUG, "a directory could not be synchronised", e);
        }
    }
}
