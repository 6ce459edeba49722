package dev.doyen.stores.quorum;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The directory in which one process stores its {@link RaftJournal}.
 *
 * <p>Only one process at a time can open the directory. When a process ends, the operating system unlocks its
 * directory.
 *
 * <p>The directory contains the files {@code journal}, {@code lock} and, while the journal is rewritten,
 * {@code journal.new}. Each directory has a random id. The first record of the journal contains the id, and so does the
 * file {@code lock}. Therefore a directory whose journal was deleted is not mistaken for a new directory.
 *
 * <p>Threads: any.
 */
final class QuorumDirectory implements AutoCloseable {

    private static final String JOURNAL = "journal";
    private static final String LOCK = "lock";

    /**
     * The names of the files that this class creates. After a crash during the creation of the directory, any subset of
     * these files can exist.
     */
    private static final Set<String> OWN = Set.of(JOURNAL, JOURNAL + ".new", LOCK);

    /** The directory that the file system creates in the root of each ext4 volume. */
    private static final String LOST_AND_FOUND = "lost+found";

    private static final int ID_BYTES = 16;
    private static final SecureRandom RANDOM = new SecureRandom();

    /**
     * The real paths of the directories that this JVM has open. The set is necessary because closing a second channel
     * of a locked file would release the lock (POSIX).
     */
    private static final Set<Path> OPEN = new HashSet<>();

    private final Path directory;
    private final FileChannel lock;
    private final RaftJournal journal;
    private final String id;
    private boolean isClosed;

    private QuorumDirectory(Path directory, FileChannel lock, RaftJournal journal, String id) {
        this.directory = directory;
        this.lock = lock;
        this.journal = journal;
        this.id = id;
    }

    /**
     * Opens the directory, and creates it if it is missing.
     *
     * @throws IOException if the directory is in use, is damaged, has lost its journal, or cannot store a journal; the
     *     message is for users
     */
    static QuorumDirectory open(Path path) throws IOException {
        return open(path, DirectoryDisk::new);
    }

    /**
     * Opens the directory on a specific disk.
     *
     * @param disks the function that creates the disk of a directory; tests supply a disk that fails
     */
    static QuorumDirectory open(Path path, Function<Path, Disk> disks) throws IOException {
        Path directory = made(path);
        synchronized (OPEN) {
            if (!OPEN.add(directory)) {
                throw inUse(directory, "this process");
            }
            @Nullable FileChannel lock = null;
            @Nullable RaftJournal journal = null;
            boolean isOpen = false;
            try {
                lock = locked(directory);
                journal = journal(directory, disks.apply(directory), text(lock));
                var opened = new QuorumDirectory(directory, lock, journal, marked(directory, lock, journal));
                isOpen = true;
                return opened;
            } finally {
                if (!isOpen) {
                    release(directory, lock, journal);
                }
            }
        }
    }

    /** Closes the files, and allows this JVM to open the directory again. */
    private static void release(Path directory, @Nullable FileChannel lock, @Nullable RaftJournal journal)
            throws IOException {
        try (lock) {
            if (journal != null) {
                journal.close();
            }
        } finally {
            OPEN.remove(directory);
        }
    }

    /** Returns the random id of the directory. */
    String id() {
        return id;
    }

    RaftJournal journal() {
        return journal;
    }

    /** Closes and unlocks the directory, after any write in progress. */
    @Override
    public void close() throws IOException {
        synchronized (OPEN) {
            if (!isClosed) {
                isClosed = true;
                release(directory, lock, journal);
            }
        }
    }

    /** Creates the directory and returns its real path. All directories that the method creates are durable. */
    private static Path made(Path path) throws IOException {
        Path absolute = path.toAbsolutePath();
        List<Path> missing = new ArrayList<>();
        for (@Nullable Path each = absolute; each != null && !Files.exists(each); each = each.getParent()) {
            missing.add(each);
        }
        try {
            Files.createDirectories(absolute, DirectoryDisk.ownerOnly(absolute, "rwx------"));
            for (Path each : missing) {
                DirectoryDisk.force(each.resolveSibling("."));
            }
            return absolute.toRealPath();
        } catch (IOException e) {
            throw new IOException(
                    "The directory " + path + " of the quorum cannot be created (" + e + "); choose another", e);
        }
    }

    private static FileChannel locked(Path directory) throws IOException {
        Path file = directory.resolve(LOCK);
        FileChannel channel;
        @Nullable FileLock lock;
        try {
            channel = FileChannel.open(
                    file,
                    Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                    DirectoryDisk.ownerOnly(directory, "rw-------"));
        } catch (IOException e) {
            throw cannotLock(file, e);
        }
        try {
            lock = channel.tryLock();
        } catch (OverlappingFileLockException e) {
            // A copy of this class from another class loader holds the file lock. The channel stays open, because
            // closing it would release the lock.
            throw inUse(directory, "this process");
        } catch (IOException e) {
            channel.close();
            throw cannotLock(file, e);
        }
        if (lock == null) {
            channel.close();
            throw inUse(directory, "another process");
        }
        return channel;
    }

    private static RaftJournal journal(Path directory, Disk disk, String mark) throws IOException {
        Set<String> names = names(directory);
        boolean isNew = !names.contains(JOURNAL);
        if (isNew) {
            refuseUnlessNew(directory, names, mark);
        }
        CheckedFile file;
        try {
            file = isNew
                    ? CheckedFile.create(disk, JOURNAL, RaftJournal.recordsOfNew(randomId()))
                    : CheckedFile.open(disk, JOURNAL);
        } catch (DamagedFileException e) {
            throw e;
        } catch (IOException e) {
            throw new IOException(
                    "The directory " + directory + " cannot store the journal of the quorum (" + e
                            + "). It needs free space and a file system that forces writes to the disk and renames"
                            + " files atomically",
                    e);
        }
        try {
            return new RaftJournal(file);
        } catch (MalformedBytesException e) {
            file.close();
            throw new IOException(
                    disk.where(JOURNAL) + " cannot be read: " + e.getMessage()
                            + ". If a newer version of Doyen wrote it, use that version",
                    e);
        }
    }

    private static void refuseUnlessNew(Path directory, Set<String> names, String mark) throws IOException {
        if (!mark.isEmpty()) {
            throw new IOException("The directory " + directory + " has lost its journal, and with it the votes and"
                    + " entries that this member confirmed. Put the file " + JOURNAL
                    + " back, or name a new directory; this process then joins the"
                    + " quorum as a new member");
        }
        Set<String> others = new TreeSet<>(names);
        others.removeIf(name -> OWN.contains(name) || name.equals(LOST_AND_FOUND) || name.startsWith("."));
        if (!others.isEmpty()) {
            throw new IOException("The directory " + directory + " contains other files, but no journal of a quorum: "
                    + String.join(", ", others) + ". Name an empty directory, or put the file " + JOURNAL + " back");
        }
    }

    /** Returns the id of the directory, and writes it to the lock file if necessary. */
    private static String marked(Path directory, FileChannel lock, RaftJournal journal) throws IOException {
        String id = journal.directory()
                .orElseThrow(() -> new IOException("The journal in " + directory + " has no id of its directory."
                        + " Move the directory away; this process then joins the quorum as a new member"));
        String mark = text(lock);
        if (mark.matches("[0-9a-f]{" + 2 * ID_BYTES + "}") && !mark.equals(id)) {
            throw new IOException("The journal in " + directory + " belongs to another directory (" + id
                    + " instead of " + mark + "). Put the right file back, or name a new directory");
        }
        if (!mark.equals(id)) {
            lock.truncate(0);
            lock.write(ByteBuffer.wrap(id.getBytes(StandardCharsets.US_ASCII)), 0);
            lock.force(true);
        }
        return id;
    }

    /** Reads the lock file, up to one byte more than the length of an id. */
    private static String text(FileChannel lock) throws IOException {
        var bytes = ByteBuffer.allocate(2 * ID_BYTES + 1);
        int end = 0;
        while (end >= 0 && bytes.hasRemaining()) {
            end = lock.read(bytes, bytes.position());
        }
        return new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII);
    }

    private static Set<String> names(Path directory) throws IOException {
        Set<String> names = new HashSet<>();
        try (var files = Files.newDirectoryStream(directory)) {
            files.forEach(file -> names.add(file.getFileName().toString()));
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return names;
    }

    private static String randomId() {
        var bytes = new byte[ID_BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private static IOException inUse(Path directory, String who) {
        return new IOException("The directory " + directory + " is in use by " + who
                + ". Each process needs its own directory: end the other one, or name another directory");
    }

    private static IOException cannotLock(Path file, IOException cause) {
        return new IOException(
                file + " cannot be locked (" + cause + "); choose a directory on a local disk that this user may write",
                cause);
    }
}
