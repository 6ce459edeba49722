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
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;

/**
 * Stores leases in a folder that several machines share, such as an NFS mount.
 *
 * <p>Each election has a folder with one small text file per revision. The store uses no locks of the operating
 * system, because NFS locks are leases themselves and can expire. {@link SharedLease} explains why the store is safe
 * without locks. The store does not announce changes.
 *
 * <p>The store rejects a folder that a {@link FileLeaseStore} uses, because the two stores would elect different
 * leaders.
 *
 * <p>Threads: any number; each call waits for the file server.
 */
public final class SharedFolderLeaseStore implements LeaseStore {

    /**
     * The types of local file systems. A confirmed write to a local file system is on a disk of this computer. On a
     * network file system, the server decides when the write reaches the disk.
     */
    private static final Set<String> LOCAL =
            Set.of("ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "f2fs", "apfs", "hfs");

    private static final Duration TEMPORARIES_KEPT = Duration.ofDays(1);

    private final Path directory;
    private final LeaseStore.Promises promises;

    private SharedFolderLeaseStore(Path directory, LeaseStore.Promises promises) {
        this.directory = directory;
        this.promises = promises;
    }

    /**
     * Opens the folder, and creates it if necessary.
     *
     * @throws StoreUnavailableException if the folder cannot be written, if its file system does not support hard
     *     links, or if the folder belongs to a {@code file:} store
     */
    public static SharedFolderLeaseStore open(Path directory) {
        try {
            Path real = Files.createDirectories(directory).toRealPath();
            if (Files.exists(real.resolve(".lock"))) {
                throw new StoreUnavailableException("the folder " + real
                        + " holds leases of a file: store, and the two kinds of stores exclude each other; name"
                        + " another folder");
            }
            deleteTemporaries(real, probe(real));
            return new SharedFolderLeaseStore(real, promises(fileSystem(real)));
        } catch (IOException | UnsupportedOperationException e) {
            throw new StoreUnavailableException(
                    "the shared folder " + directory.toAbsolutePath() + " cannot be used ("
                            + e.getClass().getSimpleName()
                            + ": " + e.getMessage() + "); name a folder on a file system with hard links that this user"
                            + " may create and write",
                    e);
        }
    }

    @Override
    public VersionedLease read(String election) {
        try {
            return lease(election).read();
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
            return lease(election).compareAndSet(expected, next);
        } catch (IOException | StoreUnavailableException e) {
            return FolderFault.ofWrite(election, directory, e);
        }
    }

    @Override
    public LeaseStore.Promises promises() {
        return promises;
    }

    /** Does nothing, because the store has no open resources. */
    @Override
    public void close() {}

    private SharedLease lease(String election) {
        return new SharedLease(election, new LeaseFolder(directory.resolve(LeaseFileNames.of(election))));
    }

    /** Tests the file operations of a write, and returns the time of the file server. */
    private static FileTime probe(Path directory) throws IOException {
        var folder = new LeaseFolder(directory);
        String one = LeaseFolder.TEMPORARY + UUID.randomUUID();
        String two = LeaseFolder.TEMPORARY + UUID.randomUUID();
        try {
            folder.create(one, "probe\n");
            if (!folder.link(one, two) || folder.link(one, two)) {
                throw new IOException("the file system did not reject a hard link over an existing name");
            }
            return Files.getLastModifiedTime(directory.resolve(one));
        } finally {
            folder.delete(one);
            folder.delete(two);
        }
    }

    /**
     * Deletes temporary files older than one day, which crashed writers have left. If a slow writer still needs such a
     * file, its write fails.
     */
    private static void deleteTemporaries(Path directory, FileTime now) throws IOException {
        try (var elections = Files.newDirectoryStream(directory, Files::isDirectory)) {
            for (Path election : elections) {
                try (var left = Files.newDirectoryStream(election, LeaseFolder.TEMPORARY + "*")) {
                    for (Path file : left) {
                        deleteIfLeft(file, now);
                    }
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
    }

    private static void deleteIfLeft(Path file, FileTime now) throws IOException {
        try {
            FileTime made = Files.getLastModifiedTime(file);
            if (Duration.between(made.toInstant(), now.toInstant()).compareTo(TEMPORARIES_KEPT) > 0) {
                Files.deleteIfExists(file);
            }
        } catch (NoSuchFileException e) {
            // The writer of the file has deleted it.
        }
    }

    /**
     * Returns the type of the file system. In a chroot that is not a mount point, the JDK cannot determine the type.
     * The folder can still be used.
     */
    private static String fileSystem(Path directory) {
        try {
            return Files.getFileStore(directory).type().toLowerCase(Locale.ROOT);
        } catch (IOException e) {
            return "an unknown file system (" + e.getMessage() + ")";
        }
    }

    private static LeaseStore.Promises promises(String type) {
        boolean local = LOCAL.contains(type);
        List<String> remarks = new ArrayList<>();
        if (!local) {
            remarks.add("the folder is on " + type + ", so whether a confirmed term survives a crash of the file server"
                    + " depends on the server and cannot be checked from here; export the folder with sync, or"
                    + " use another store if terms must never be reused");
        }
        remarks.add("safe only if the file system keeps hard links exclusive, and if a listing contains every file that"
                + " exists during the whole listing; on NFS, mount it hard and with lookupcache=none or a short"
                + " actimeo, because otherwise followers read a change late");
        return new LeaseStore.Promises(local, false, "machines that share a folder", remarks);
    }
}
