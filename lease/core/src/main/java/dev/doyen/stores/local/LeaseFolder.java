package dev.doyen.stores.local;

import dev.doyen.store.UnreadableRecordException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The file operations of {@link SharedLease}, {@link LeaseFile} and {@link FloorFile}.
 *
 * <p>A test overrides these operations to interleave the steps of several writers.
 *
 * <p>Errors: {@link IOException} of the file system.
 */
class LeaseFolder {

    static final String TEMPORARY = ".new-";

    private static final long MAX_FILE_BYTES = 256 * 1024;

    private final Path directory;

    LeaseFolder(Path directory) {
        this.directory = directory;
    }

    /**
     * Returns the revisions in the folder. The result contains each revision that exists during the whole call
     * (POSIX, readdir).
     */
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
            // A folder that does not exist has no revisions.
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return found;
    }

    /**
     * Returns the names of the files with this prefix. The result contains each file that exists during the whole
     * call (POSIX, readdir).
     */
    Set<String> named(String prefix) throws IOException {
        Set<String> found = new HashSet<>();
        try (var files = Files.newDirectoryStream(
                directory, file -> file.getFileName().toString().startsWith(prefix))) {
            files.forEach(file -> found.add(file.getFileName().toString()));
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return found;
    }

    /**
     * Returns the text of a file; empty if the file does not exist.
     *
     * @throws UnreadableRecordException if the fault concerns only this file: it is a directory, too large or not
     *     UTF-8, or this user may not read it
     */
    Optional<String> text(String name) throws IOException {
        Path file = directory.resolve(name);
        try {
            var attributes = Files.readAttributes(file, BasicFileAttributes.class);
            if (attributes.isDirectory()) {
                throw UnreadableRecordException.notARecord(where(name), "it is a directory", null);
            }
            if (attributes.size() > MAX_FILE_BYTES) {
                throw UnreadableRecordException.notARecord(
                        where(name), "it is larger than " + MAX_FILE_BYTES + " bytes", null);
            }
            return Optional.of(Files.readString(file));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (AccessDeniedException e) {
            throw UnreadableRecordException.notARecord(where(name), "this user may not read it", e);
        } catch (CharacterCodingException e) {
            throw UnreadableRecordException.notARecord(where(name), "it is not UTF-8", e);
        }
    }

    /** Creates the folder unless it exists. */
    void make() throws IOException {
        Files.createDirectories(directory);
    }

    /** Creates a new file with this text and fsyncs it. No other writer ever writes to this file. */
    void create(String name, String text) throws IOException {
        try (var channel = FileChannel.open(
                directory.resolve(name),
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                OwnerOnly.fileIn(directory))) {
            ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    /** Creates an empty file unless it exists. The file can vanish when the computer crashes. */
    void touch(String name) throws IOException {
        try (var channel =
                FileChannel.open(directory.resolve(name), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.position(0);
        }
    }

    /** Gives the file a second name, and fsyncs the folder. Returns false if a file with the second name exists. */
    boolean link(String name, String second) throws IOException {
        try {
            Files.createLink(directory.resolve(second), directory.resolve(name));
        } catch (FileAlreadyExistsException e) {
            return false;
        }
        sync();
        return true;
    }

    /** Renames the file over another one, and fsyncs the folder. Returns false if the first file no longer exists. */
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
            // Some file systems do not allow a process to open a directory. Such a file system itself decides when it
            // writes the change to the disk.
            System.getLogger("dev.doyen").log(System.Logger.Level.DEBUG, "a directory could not be synchronised", e);
        }
    }
}
