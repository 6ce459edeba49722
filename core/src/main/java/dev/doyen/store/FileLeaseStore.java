package dev.doyen.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Leases in a directory of one machine's own file system: a small text file per election, readable with {@code cat}.
 *
 * <p>A write is: take the directory's lock, compare the revision, write a new file beside the old one, fsync it, rename
 * it over the old one, fsync the directory. So a reader sees the old record or the new one, and a term that was
 * confirmed survives a crash of the process and of the machine. Not for network file systems: their locks are leases
 * themselves.
 */
public final class FileLeaseStore implements LeaseStore {

    private static final String SUFFIX = ".lease";
    private static final String REVISION = "revision: ";
    private static final long MAX_FILE_BYTES = 256 * 1024;

    private final Path directory;
    private final DirectoryLock lock;
    private final DirectoryWatch watch;
    private final AtomicLong temporaries = new AtomicLong();
    private final AtomicBoolean closed = new AtomicBoolean();

    private FileLeaseStore(Path directory, DirectoryLock lock) {
        this.directory = directory;
        this.lock = lock;
        this.watch = new DirectoryWatch(directory);
    }

    /** Opens, and creates if need be, the directory. Throws {@link StoreUnavailableException} if it cannot be written. */
    public static FileLeaseStore open(Path directory) {
        try {
            Path real = Files.createDirectories(directory).toRealPath();
            if (!Files.isWritable(real)) {
                throw new IOException("permission denied");
            }
            DirectoryLock lock = DirectoryLock.of(real);
            lock.whileLocked(() -> deleteTemporaries(real));
            return new FileLeaseStore(real, lock);
        } catch (IOException | UnsupportedOperationException e) {
            throw new StoreUnavailableException(
                    "the lease directory " + directory.toAbsolutePath()
                            + " cannot be written (" + e.getClass().getSimpleName() + ": " + e.getMessage()
                            + "); name a directory that this user may create and write",
                    e);
        }
    }

    @Override
    public VersionedLease read(String election) {
        try {
            return parse(election);
        } catch (IOException e) {
            throw new StoreUnavailableException("the lease of \"" + election + "\" cannot be read: " + e, e);
        }
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        if (!next.election().equals(election)) {
            throw new IllegalArgumentException("a record of \"" + next.election() + "\" for \"" + election + "\"");
        }
        try {
            return lock.whileLocked(() -> {
                VersionedLease current = parse(election);
                if (!current.version().equals(expected)) {
                    return new CasOutcome.Conflict(current);
                }
                long revision = expected.isAbsent() ? 1 : Long.parseLong(expected.value()) + 1;
                replace(LeaseFileNames.of(election) + SUFFIX, REVISION + revision + "\n" + LeaseRecordText.write(next));
                return new CasOutcome.Written(LeaseVersion.of(revision));
            });
        } catch (IOException | StoreUnavailableException e) {
            return new CasOutcome.Unknown("the lease of \"" + election + "\" could not be written: " + e);
        }
    }

    @Override
    public Optional<Watch> watch(String election, Runnable changed) {
        return watch.watch(LeaseFileNames.of(election) + SUFFIX, changed);
    }

    @Override
    public StorePromises promises() {
        return new StorePromises(true, true, "one machine");
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        watch.close();
        try {
            lock.close();
        } catch (IOException e) {
            throw new StoreUnavailableException("the lock of " + directory + " could not be closed", e);
        }
    }

    /** Under the lock nobody is writing: a temporary file is what a crash has left. Returns how many there were. */
    private static int deleteTemporaries(Path directory) throws IOException {
        int deleted = 0;
        try (var left = Files.newDirectoryStream(directory, ".*" + SUFFIX + ".*")) {
            for (Path temporary : left) {
                Files.deleteIfExists(temporary);
                deleted++;
            }
        }
        return deleted;
    }

    private VersionedLease parse(String election) throws IOException {
        Path file = directory.resolve(LeaseFileNames.of(election) + SUFFIX);
        String text;
        try {
            if (Files.size(file) > MAX_FILE_BYTES) {
                throw unreadable(file, "it is larger than " + MAX_FILE_BYTES + " bytes", null);
            }
            text = Files.readString(file);
        } catch (NoSuchFileException e) {
            return VersionedLease.ABSENT;
        }
        try {
            int end = text.indexOf('\n');
            if (end < 0 || !text.startsWith(REVISION)) {
                throw new IllegalArgumentException("the first line is not \"" + REVISION + "N\"");
            }
            long revision = Long.parseLong(text.substring(REVISION.length(), end));
            LeaseRecord record = LeaseRecordText.read(text.substring(end + 1));
            if (!record.election().equals(election)) {
                throw new IllegalArgumentException("it is the lease of \"" + record.election() + "\"");
            }
            return VersionedLease.of(LeaseVersion.of(revision), record);
        } catch (IllegalArgumentException e) {
            throw unreadable(file, e.getMessage(), e);
        }
    }

    private void replace(String name, String text) throws IOException {
        Path temporary = directory.resolve(
                "." + name + "." + ProcessHandle.current().pid() + "." + temporaries.incrementAndGet());
        try {
            try (var channel = FileChannel.open(temporary, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
                ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(temporary, directory.resolve(name), StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(temporary);
        }
        try (var channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private static StoreUnavailableException unreadable(Path file, @Nullable String why, @Nullable Throwable cause) {
        return new StoreUnavailableException(
                file + " is not a lease record: " + why + "; move it away only if its term may be forgotten", cause);
    }
}
