package dev.doyen.stores.local;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseRecordText;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import dev.doyen.store.support.LeaseFileNames;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * The lease of one election in one file: a compare-and-set without a lock.
 *
 * <p>The first line of the file is the revision. A write does four steps. It <em>creates</em> a new file under a
 * temporary name. It <em>deletes</em> the temporary files of all other writers. It <em>checks</em> that the revision is
 * still the expected one. It <em>renames</em> its file over the old one. The rename fails if another writer has deleted
 * the temporary file. Then the write starts again.
 *
 * <p><em>No two writes over one revision succeed.</em> Assume that A and B both succeed. Then B's deletion did not
 * remove A's file. There are two possible reasons:
 *
 * <ol>
 *   <li>A renamed its file before B's deletion reached it. Then B checked after A's rename and saw another revision. So
 *       B did not succeed.
 *   <li>A created its file after B's deletion had begun. B had created its own file before that deletion. So B's file is
 *       older than A's.
 * </ol>
 *
 * <p>Only the second reason remains. With A and B exchanged, A's file is older than B's. Both cannot be true. Temporary
 * names are random and never used again.
 *
 * <p>So a write is safe, however long any writer is stopped. It is not guaranteed to make progress: two writers may
 * delete each other's files forever. {@link DirectoryLock} prevents that.
 *
 * <p>Threads: any number.
 */
final class LeaseFile {

    static final String SUFFIX = ".lease";

    private static final String REVISION = "revision: ";
    private static final int TRIES = 20;
    private static final long MAX_PAUSE_NANOS = 2_000_000;

    private final String election;
    private final LeaseFolder folder;
    private final String name;

    LeaseFile(String election, LeaseFolder folder) {
        this.election = election;
        this.folder = folder;
        this.name = LeaseFileNames.of(election) + SUFFIX;
    }

    VersionedLease read() throws IOException {
        var text = folder.text(name);
        return text.isPresent() ? parse(text.get()) : VersionedLease.ABSENT;
    }

    CasOutcome compareAndSet(LeaseVersion expected, LeaseRecord next) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            // Checked before the first file is created, so that a writer that is too late deletes no other writer's
            // file.
            VersionedLease before = read();
            if (!before.version().equals(expected)) {
                return new CasOutcome.Conflict(before);
            }
            if (writeOver(expected, next)) {
                return new CasOutcome.Written(LeaseVersion.of(revisionAfter(expected)));
            }
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(MAX_PAUSE_NANOS));
        }
        return new CasOutcome.Unknown(
                folder.where(name) + " was not written: others wrote at each of " + TRIES + " tries");
    }

    /** Returns false if nothing was written, because of another revision or another writer. */
    private boolean writeOver(LeaseVersion expected, LeaseRecord next) throws IOException {
        String temporary = "." + name + "." + UUID.randomUUID();
        try {
            folder.create(temporary, REVISION + revisionAfter(expected) + "\n" + LeaseRecordText.write(next));
            for (String other : folder.named("." + name + ".")) {
                if (!other.equals(temporary)) {
                    folder.delete(other);
                }
            }
            return read().version().equals(expected) && folder.replace(temporary, name);
        } finally {
            folder.delete(temporary);
        }
    }

    private static long revisionAfter(LeaseVersion expected) {
        return expected.isAbsent() ? 1 : Long.parseLong(expected.value()) + 1;
    }

    private VersionedLease parse(String text) {
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
            throw new StoreUnavailableException(
                    folder.where(name) + " is not a lease record: " + e.getMessage()
                            + "; move it away only if its term may be forgotten",
                    e);
        }
    }
}
