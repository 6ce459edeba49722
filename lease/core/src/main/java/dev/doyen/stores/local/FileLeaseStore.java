package dev.doyen.stores.local;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import dev.doyen.store.support.LeaseFileNames;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Stores leases in a local directory, as one small text file per election.
 *
 * <p>A write creates a new file beside the old one, fsyncs it, renames it over the old one, and fsyncs the directory.
 * So a reader receives either the old or the new record, and a confirmed term survives a crash of the process and of
 * the computer. {@link LeaseFile} compares the versions. {@link DirectoryLock} serializes the writers, but lets a
 * suspended writer delay the others only briefly. {@link FilePruning} deletes records.
 *
 * <p>Do not use this store on a network file system, because its clients receive each other's changes late. Use
 * {@link SharedFolderLeaseStore} there.
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

    /**
     * Opens the directory, and creates it if necessary.
     *
     * @throws StoreUnavailableException if the directory cannot be written
     */
    public static FileLeaseStore open(Path directory) {
        try {
            Path real = Files.createDirectories(directory, OwnerOnly.directory(directory))
                    .toRealPath();
            if (!Files.isWritable(real)) {
                throw new IOException("permission denied");
            }
            return open(real, DirectoryLock.of(real));
        } catch (IOException | UnsupportedOperationException e) {
            throw new StoreUnavailableException(
                    "the lease directory " + directory.toAbsolutePath()
                            + " cannot be written (" + e.getClass().getSimpleName() + ": " + e.getMessage()
                            + "); name a directory that this user may create and write",
                    e);
        }
    }

    private static FileLeaseStore open(Path real, DirectoryLock lock) throws IOException {
        try {
            lock.locked(locked -> deleteLeft(real, locked));
            return new FileLeaseStore(real, lock);
        } catch (Throwable e) {
            lock.close();
            throw e;
        }
    }

    @Override
    public VersionedLease read(String election) {
        try {
            return file(election).read();
        } catch (IOException e) {
            throw FolderFault.ofRead(election, directory, e);
        }
    }

    @Override
    public CasOutcome compareAndSet(String election, LeaseVersion expected, LeaseRecord next) {
        if (!next.election().equals(election)) {
            throw new IllegalArgumentException("a record of \"" + next.election() + "\" for \"" + election + "\"");
        }
        try {
            return lock.locked(locked -> file(election).compareAndSet(expected, next, locked));
        } catch (IOException | StoreUnavailableException e) {
            return FolderFault.ofWrite(election, directory, e);
        }
    }

    @Override
    public Optional<Watch> watch(String election, Runnable changed) {
        return watch.watch(LeaseFileNames.of(election) + LeaseFile.SUFFIX, changed);
    }

    @Override
    public int prune(Instant before, Instant savedBefore) {
        try {
            return new FilePruning(directory, folder, lock).prune(before, savedBefore);
        } catch (IOException e) {
            throw new StoreUnavailableException("the leases in " + directory + " could not be deleted: " + e, e);
        }
    }

    @Override
    public LeaseStore.Promises promises() {
        return new LeaseStore.Promises(true, true, "one machine");
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

    /**
     * Deletes the files that crashed processes have left, and returns their number. If a live writer loses its
     * temporary file, the writer starts its write again.
     *
     * @param locked true if the caller holds the lock. In this case no deletion is under way, so every mark of a
     *     deletion comes from a crashed process
     */
    private static int deleteLeft(Path directory, boolean locked) throws IOException {
        return deleteAll(directory, ".*" + LeaseFile.SUFFIX + ".*")
                + (locked ? deleteAll(directory, LeaseFile.MARK + "*" + LeaseFile.SUFFIX) : 0);
    }

    private static int deleteAll(Path directory, String pattern) throws IOException {
        int deleted = 0;
        try (var left = Files.newDirectoryStream(directory, pattern)) {
            for (Path file : left) {
                Files.deleteIfExists(file);
                deleted++;
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return deleted;
    }

    private LeaseFile file(String election) {
        return new LeaseFile(election, folder);
    }
}
