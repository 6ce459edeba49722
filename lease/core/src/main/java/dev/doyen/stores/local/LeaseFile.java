package dev.doyen.stores.local;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseRecordText;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.UnreadableRecordException;
import dev.doyen.store.VersionedLease;
import dev.doyen.store.support.LeaseFileNames;
import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * The lease of one election in one file. The compare-and-set needs no lock.
 *
 * <p>The first line of the file is the revision. A write has four steps. The writer <em>creates</em> a new file under
 * a temporary name. The writer <em>deletes</em> the temporary files of all other writers. The writer <em>checks</em>
 * that the file still has the expected revision. The writer <em>renames</em> its new file over the old file. The
 * rename fails if another writer has deleted the temporary file. After a failed rename the write starts again.
 *
 * <p><em>No two writes over the same revision succeed.</em> Assume that the writes of A and B both succeed. Then the
 * deletion by B did not remove A's file. There are two possible reasons:
 *
 * <ol>
 *   <li>A renamed its file before B's deletion reached it. In that case, B checked after A's rename and found another
 *       revision. So B did not succeed.
 *   <li>A created its file after B's deletion had begun. B had created its own file before that deletion. So B's file
 *       is older than A's file.
 * </ol>
 *
 * <p>The first reason contradicts the assumption, so B's file is older than A's file. The same argument with A and B
 * exchanged shows that A's file is older than B's file. This is a contradiction. Temporary names are random and never
 * used again, so no file is confused with an older file.
 *
 * <p><em>A deletion removes no record that was written after the check of the deletion.</em> The deletion needs the
 * lock of the directory, and has five steps. It <em>marks</em> the election by a file, <em>deletes</em> all temporary
 * files, <em>checks</em> the revision, deletes the file, and deletes the mark. A writer does not rename its file while
 * the mark exists. Assume that a writer without the lock renames its file between the check and the deletion of the
 * file. Then its temporary file was created after the mark, because the deletion of the temporary files did not remove
 * it. So the writer, which looks for the mark after it has created its file, found the mark and did not rename. This
 * contradicts the assumption. A writer with the lock knows that no deletion is under way, and removes a mark that a
 * crashed process has left.
 *
 * <p>So a write is safe, however long a writer is stopped. This class alone does not guarantee progress, because two
 * writers could delete each other's files again and again. With {@link DirectoryLock} the writers take turns.
 *
 * <p>Threads: any number.
 */
final class LeaseFile {

    static final String SUFFIX = ".lease";

    /**
     * The prefix of the file that marks an election whose record is being deleted. No file of a record has a name with
     * this prefix.
     */
    static final String MARK = "~";

    private static final String REVISION = "revision: ";
    private static final int TRIES = 20;
    private static final long MAX_PAUSE_NANOS = 2_000_000;

    private final String election;
    private final LeaseFolder folder;
    private final FloorFile floor;
    private final String name;
    private final String mark;

    LeaseFile(String election, LeaseFolder folder) {
        this.election = election;
        this.folder = folder;
        this.floor = new FloorFile(folder);
        this.name = LeaseFileNames.of(election) + SUFFIX;
        this.mark = MARK + name;
    }

    VersionedLease read() throws IOException {
        var text = folder.text(name);
        // Read the floor after the record. So the floor covers each deletion that this read has noticed.
        return text.isPresent() ? parse(text.get()) : floor.read().absent();
    }

    /**
     * Writes {@code next} if the record has the version {@code expected}.
     *
     * @param locked true if the caller holds the lock of the directory
     */
    CasOutcome compareAndSet(LeaseVersion expected, LeaseRecord next, boolean locked) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            // Compare the versions before the write creates a file. So a writer with an old version does not delete
            // the files of other writers.
            VersionedLease before = read();
            DeletionFloor deleted = expected.isAbsent() ? floor.read() : DeletionFloor.NONE;
            if (!before.version().equals(expected)) {
                return new CasOutcome.Conflict(before);
            }
            if (expected.isAbsent() && !deleted.permits(next)) {
                return new CasOutcome.Conflict(deleted.absent());
            }
            if (locked) {
                folder.delete(mark);
            }
            if (writeOver(expected, next, deleted)) {
                return new CasOutcome.Written(LeaseVersion.of(deleted.revisionAfter(expected)));
            }
            LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(MAX_PAUSE_NANOS));
        }
        return new CasOutcome.Unknown(
                folder.where(name) + " was not written: other processes wrote during each of " + TRIES + " tries");
    }

    /**
     * Writes {@code next} over the expected revision. Returns false if the file has a different revision, if another
     * writer has deleted the temporary file, or if the record is being deleted. If the record is expected to be absent,
     * also returns false if the deletion floor no longer equals {@code deleted}.
     */
    private boolean writeOver(LeaseVersion expected, LeaseRecord next, DeletionFloor deleted) throws IOException {
        String temporary = "." + name + "." + UUID.randomUUID();
        try {
            folder.create(temporary, REVISION + deleted.revisionAfter(expected) + "\n" + LeaseRecordText.write(next));
            deleteTemporaries(temporary);
            return folder.text(mark).isEmpty()
                    && read().version().equals(expected)
                    && (!expected.isAbsent() || floor.read().equals(deleted))
                    && folder.replace(temporary, name);
        } finally {
            folder.delete(temporary);
        }
    }

    /**
     * Deletes the record if it has the version {@code expected}. Returns false if it has a different version.
     *
     * <p>The caller must hold the lock of the directory, and must have raised the floor to this record.
     */
    boolean delete(LeaseVersion expected) throws IOException {
        try {
            folder.touch(mark);
            deleteTemporaries("");
            boolean isExpected = read().version().equals(expected);
            if (isExpected) {
                folder.delete(name);
            }
            return isExpected;
        } finally {
            folder.delete(mark);
        }
    }

    private void deleteTemporaries(String own) throws IOException {
        for (String temporary : folder.named("." + name + ".")) {
            if (!temporary.equals(own)) {
                folder.delete(temporary);
            }
        }
    }

    private VersionedLease parse(String text) {
        VersionedLease found = parse(folder.where(name), text);
        found.record().filter(record -> !record.election().equals(election)).ifPresent(record -> {
            throw UnreadableRecordException.notARecord(
                    folder.where(name), "it is the lease of \"" + record.election() + "\"", null);
        });
        return found;
    }

    /**
     * Parses the text of a record of any election.
     *
     * @param where the file, for the message of the exception
     */
    static VersionedLease parse(String where, String text) {
        try {
            int end = text.indexOf('\n');
            if (end < 0 || !text.startsWith(REVISION)) {
                throw new IllegalArgumentException("the first line is not \"" + REVISION + "N\"");
            }
            long revision = Long.parseLong(text.substring(REVISION.length(), end));
            return VersionedLease.of(LeaseVersion.of(revision), LeaseRecordText.read(text.substring(end + 1)));
        } catch (IllegalArgumentException e) {
            throw UnreadableRecordException.notARecord(where, String.valueOf(e.getMessage()), e);
        }
    }
}
