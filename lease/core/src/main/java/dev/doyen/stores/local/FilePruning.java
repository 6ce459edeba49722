package dev.doyen.stores.local;

import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Deletes old lease files from a directory if nobody holds the leases.
 *
 * <p>The pruning deletes at most {@value #BATCH} files in one batch. It first raises the {@link DeletionFloor} of the
 * directory durably, to the highest term and revision of the records in the batch. Then it deletes each file. After a
 * crash between the two steps, the floor is higher than necessary, which does no harm. The raise of the floor and each
 * deletion acquire the lock of the directory separately, so a writer need not wait until a whole batch is deleted.
 */
final class FilePruning {

    private static final int BATCH = 1_000;

    private final Path directory;
    private final LeaseFolder folder;
    private final DirectoryLock lock;

    FilePruning(Path directory, LeaseFolder folder, DirectoryLock lock) {
        this.directory = directory;
        this.folder = folder;
        this.lock = lock;
    }

    /** Deletes the records, and returns their number. Skips records for which the lock does not become free in time. */
    int prune(Instant before, Instant savedBefore) throws IOException {
        int deleted = 0;
        List<VersionedLease> batch = new ArrayList<>();
        try (var files = Files.newDirectoryStream(directory, "[!.~]*" + LeaseFile.SUFFIX)) {
            for (Path file : files) {
                read(file.getFileName().toString())
                        .filter(lease -> lease.record().orElseThrow().mayBeDeleted(before, savedBefore))
                        .ifPresent(batch::add);
                if (batch.size() == BATCH) {
                    deleted += delete(batch);
                    batch.clear();
                }
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return deleted + delete(batch);
    }

    /** Returns the record in a file. The result is empty if the file was deleted or cannot be read or parsed. */
    private Optional<VersionedLease> read(String name) {
        try {
            return folder.text(name).map(text -> LeaseFile.parse(folder.where(name), text));
        } catch (IOException | StoreUnavailableException e) {
            // Skip the file, because the candidates of its election report this fault.
            return Optional.empty();
        }
    }

    private int delete(List<VersionedLease> leases) throws IOException {
        DeletionFloor floor = DeletionFloor.NONE;
        for (VersionedLease lease : leases) {
            floor = floor.raisedBy(lease);
        }
        DeletionFloor raised = floor;
        boolean mayDelete = lock.locked(locked -> {
            if (locked) {
                new FloorFile(folder).raiseTo(raised);
            }
            return locked;
        });
        int deleted = 0;
        for (VersionedLease lease : mayDelete ? leases : List.<VersionedLease>of()) {
            var file = new LeaseFile(lease.record().orElseThrow().election(), folder);
            deleted += lock.locked(locked -> locked && file.delete(lease.version())) ? 1 : 0;
        }
        return deleted;
    }
}
