package dev.doyen.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Leases in a directory of one machine's own file system: a small text file per election, readable with {@code cat}.
 *
 * <p>A write makes a new file beside the old one, fsyncs it, renames it over the old one, and fsyncs the directory. So a
 * reader sees the old record or the new one, and a term that was confirmed survives a crash of the process and of the
 * machine. {@link LeaseFile} says how it compares, and {@link DirectoryLock} why nobody waits for a writer that stands
 * still. Not for network file systems, whose clients see each other's changes late.
 */
public final class FileLeaseStore implements LeaseStore {

    private final Path directory;
    private final LeaseFolder folder;
    private final DirectoryLock lock;
    private final DirectoryWatch watch;
    private final AtomicBoolean closed = new AtomicBoolean();

    private FileLeaseStore(Path directory, DirectoryLock lock) {
        this.directory = directory;
        this.folder = new LeaseFolder(directory);
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
            lock.politely(() -> deleteTemporaries(real));
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
            return file(election).read();
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
            return lock.politely(() -> file(election).compareAndSet(expected, next));
        } catch (IOException | StoreUnavailableException e) {
            return new CasOutcome.Unknown("the lease of \"" + election + "\" could not be written: " + e);
        }
    }

    @Override
    public Optional<Watch> watch(String election, Runnable changed) {
        return watch.watch(LeaseFileNames.of(election) + LeaseFile.SUFFIX, changed);
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

    /** What crashes have left; a writer whose file it takes away tries again. Returns how many there were. */
    private static int deleteTemporaries(Path directory) throws IOException {
        int deleted = 0;
        try (var left = Files.newDirectoryStream(directory, ".*" + LeaseFile.SUFFIX + ".*")) {
            for (Path temporary : left) {
                Files.deleteIfExists(temporary);
                deleted++;
            }
        }
        return deleted;
    }

    private LeaseFile file(String election) {
        return new LeaseFile(election, folder);
    }
}
