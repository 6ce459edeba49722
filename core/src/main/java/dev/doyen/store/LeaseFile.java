package dev.doyen.store;

import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * One election's lease in a file of its own, whose first line is the revision: a compare-and-set that needs no lock.
 *
 * <p>A write <em>creates</em> the new file under a temporary name, <em>clears</em> away the temporary files of all others,
 * <em>looks</em> whether the revision is still the one expected, and <em>renames</em> its file over the old one, which
 * fails if somebody has cleared it away meanwhile. Then it starts again.
 *
 * <p><em>No two writes over one revision succeed.</em> Let A and B be two such. B's clearing did not take A's file away.
 * Either A's rename came before B's clearing got to it: then B looked after A's rename, and saw another revision. Or A's file was
 * created after B's clearing had begun, so after B's file was created. The same holds with A and B exchanged, and
 * each file cannot be younger than the other. Names never come back: they are random.
 *
 * <p>So this is safe whatever stops whom for how long. It does not make sure that anybody gets ahead: two writers may clear
 * away each other's files for ever. For that there is {@link DirectoryLock}. Threads: any number.
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
            // Before the first file is made: one that is too late takes nobody's file away.
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

    /** False if nothing was written: another revision is there, or somebody else is writing. */
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
