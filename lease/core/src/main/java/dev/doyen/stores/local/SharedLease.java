package dev.doyen.stores.local;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseRecordText;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.UnreadableRecordException;
import dev.doyen.store.VersionedLease;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.UUID;

/**
 * The lease of one election in a folder that several machines share.
 *
 * <p>Each revision is a file that a writer creates by a hard link.
 *
 * <p>The name of the file is the number of the revision. Each file contains its own random <em>mark</em> and the marks
 * of the previous revisions, the nearest revision first. In the following, (n, m) is revision n with mark m. A write
 * over (n, m) creates a complete file under a temporary name and links it as n+1. Then the write checks whether (n, m)
 * still exists. A link is <em>valid</em> if (n, m) existed at the instant of the link. Only valid files count as
 * revisions. The valid file with the greatest number is the <em>head</em>.
 *
 * <p>Writers delete old files (pruning), so a slow writer could link an old number again. The following statements
 * show that such a write does not succeed:
 *
 * <ol>
 *   <li>A mark never returns, because it is random and its writer links the file as a revision only once.
 *   <li><em>Pruning goes upwards.</em> A writer prunes after it has created a valid revision h. The writer lists the
 *       folder, and deletes the listed revisions up to h - {@value #KEPT}, the smallest number first. All valid
 *       revisions below h were created before the listing began. So a valid revision that is missing in the list has
 *       been deleted, and by statement 1 it never returns. Therefore a valid revision n+1 is deleted only after the
 *       valid revision n. Before a writer deletes revision 1, it gives this file the second name {@code first}, which
 *       nobody ever deletes.
 *   <li><em>Each revision has at most one valid link.</em> Assume that a link as n+1 over (n, m) is valid. A later
 *       second link is valid only if n+1 is absent and (n, m) is present. By statement 2, n+1 is deleted only after n,
 *       so the second link is not valid. For n = 0, revision 0 counts as present while {@code first} is absent.
 *       Revision 1 is deleted only after {@code first} was created, so the second link is not valid either. Two links
 *       at the same time are impossible, because only one file can have the name.
 *   <li><em>A writer needs to check (n, m) only after it has made the link.</em> If (n, m) exists after the link, it
 *       also existed at the instant of the link: the writer had read it before the link, and by statement 1 it cannot
 *       return. If (n, m) no longer exists after the link, the marks in the head show which file n+1 was valid. If at
 *       least {@value #MARKS} revisions were created after the link of a revision above 1, the outcome is unknown.
 *   <li><em>An invalid link is never the head.</em> At the instant of an invalid link, revision n no longer exists. So
 *       by statement 2 the number of the head is already greater than n+1, and this number never decreases. A reader
 *       accepts the file with the greatest number only if this file contains the mark of the file before it. By
 *       statement 1 an invalid file fails this check. Its writer deletes the invalid file, or a later pruning deletes
 *       it.
 *   <li><em>A read returns a revision that was the head at the beginning of the read or later.</em> The list contains
 *       the file that is the head when the read begins, unless this file is deleted during the listing. If it is
 *       deleted, then by statement 2 every smaller revision fails the check, and the reader starts again.
 * </ol>
 *
 * <p>So a shared lease is a linearizable register, however long a process is stopped. The file system must have two
 * properties. A link must fail if a file with its name exists. A listing must contain each file that exists during the
 * whole call. On a network file system the second property depends on the client's cache. Before each check on which a
 * write or a pruning depends, the client itself has changed the folder. So the client does not use its cache, but reads
 * the folder from the server again. If a reader receives an old listing, its answer is stale but not wrong.
 *
 * <p>Threads: any number.
 */
final class SharedLease {

    /**
     * The minimum number of revisions that pruning does not delete.
     *
     * <p>These revisions are the head, the revision before the head, and some revisions for diagnosis.
     */
    static final int KEPT = 4;

    private static final int PRUNE_EVERY = 4;
    private static final int MARKS = 16;
    private static final int READS = 50;
    private static final String FIRST = "first";
    private static final String MARKS_LINE = "marks: ";

    private final String election;
    private final LeaseFolder folder;

    SharedLease(String election, LeaseFolder folder) {
        this.election = election;
        this.folder = folder;
    }

    VersionedLease read() throws IOException {
        return current().map(Revision::lease).orElse(VersionedLease.ABSENT);
    }

    CasOutcome compareAndSet(LeaseVersion expected, LeaseRecord next) throws IOException {
        String mark = UUID.randomUUID().toString().substring(19).replace("-", "");
        String temporary = LeaseFolder.TEMPORARY + UUID.randomUUID();
        // One read returns both the version for the comparison and the marks for the new file.
        Optional<Revision> before = current();
        if (!version(before).equals(expected)) {
            return new CasOutcome.Conflict(lease(before));
        }
        long number = before.map(Revision::number).orElse(0L) + 1;
        String marks = before.map(b -> mark + " " + String.join(" ", b.marks())).orElse(mark);
        try {
            folder.make();
            folder.create(temporary, MARKS_LINE + marks + "\n" + LeaseRecordText.write(next));
            if (!folder.link(temporary, Long.toString(number)) && !isMine(number, mark)) {
                return conflict(expected);
            }
        } finally {
            folder.delete(temporary);
        }
        if (isThere(before) || counted(number, mark)) {
            prune(number);
            return new CasOutcome.Written(version(number, mark));
        }
        return tooLate(number, mark, expected);
    }

    /** Returns true if the replaced revision still exists after the link (statement 4). */
    private boolean isThere(Optional<Revision> before) throws IOException {
        return before.isPresent()
                ? isMine(before.get().number(), before.get().mark())
                : folder.text(FIRST).isEmpty();
    }

    /**
     * Returns true if this write has created the first revision of the lease. The file of this revision need not exist
     * any more, because {@code first} contains its mark.
     */
    private boolean counted(long number, String mark) throws IOException {
        return number == 1 && isMarked(FIRST, mark);
    }

    /**
     * Returns the outcome of a write whose previous revision no longer exists after the link.
     *
     * <p>If the previous revision was deleted before the link, the link is invalid. If it was deleted after the link,
     * the link is valid.
     */
    private CasOutcome tooLate(long number, String mark, LeaseVersion expected) throws IOException {
        Revision head = current().orElseThrow(() -> new IOException("every revision of the lease was deleted"));
        long back = head.number() - number;
        if (back < head.marks().size()
                && head.marks().get((int) Math.max(0, back)).equals(mark)) {
            return new CasOutcome.Written(version(number, mark));
        }
        if (isMine(number, mark)) {
            folder.delete(Long.toString(number));
        }
        // The file "first" always contains the mark of the first revision, so the outcome of the first write is always
        // known.
        return number == 1 || back < head.marks().size()
                ? conflict(expected)
                : new CasOutcome.Unknown("the lease of \"" + election + "\" was written " + back
                        + " times while this write was under way, and its outcome is not known");
    }

    private CasOutcome conflict(LeaseVersion expected) throws IOException {
        VersionedLease current = read();
        return current.version().equals(expected)
                ? new CasOutcome.Unknown("the folder of \"" + election
                        + "\" returns an old list of files, as network file systems do; the next read"
                        + " returns the record")
                : new CasOutcome.Conflict(current);
    }

    /** Returns the greatest valid revision; empty if there never was one. */
    private Optional<Revision> current() throws IOException {
        for (int i = 0; i < READS; i++) {
            SortedSet<Long> revisions = folder.revisions();
            if (revisions.isEmpty()) {
                if (folder.text(FIRST).isEmpty()) {
                    return Optional.empty();
                }
                continue;
            }
            Optional<Revision> greatest = revision(revisions.last());
            if (greatest.isPresent() && counts(greatest.get())) {
                return greatest;
            }
        }
        throw new StoreUnavailableException("no valid revision of the lease of \"" + election + "\" was found in "
                + READS + " reads of " + folder.where("")
                + "; it changes faster than it can be read, or files were deleted there");
    }

    /** Returns true if this revision is valid (statement 5). */
    private boolean counts(Revision revision) throws IOException {
        if (revision.number() > 1) {
            return revision.marks().size() > 1
                    && isMine(revision.number() - 1, revision.marks().get(1));
        }
        return folder.text(FIRST).isEmpty() || isMarked(FIRST, revision.mark());
    }

    private boolean isMine(long number, String mark) throws IOException {
        return isMarked(Long.toString(number), mark);
    }

    private boolean isMarked(String name, String mark) throws IOException {
        return folder.text(name)
                .filter(text -> marks(name, text).get(0).equals(mark))
                .isPresent();
    }

    private Optional<Revision> revision(long number) throws IOException {
        String name = Long.toString(number);
        return folder.text(name).map(text -> {
            List<String> marks = marks(name, text);
            LeaseRecord record =
                    LeaseRecordText.readStored(folder.where(name), election, text.substring(text.indexOf('\n') + 1));
            return new Revision(number, marks, VersionedLease.of(version(number, marks.get(0)), record));
        });
    }

    private List<String> marks(String name, String text) {
        int end = text.indexOf('\n');
        if (!text.startsWith(MARKS_LINE) || end <= MARKS_LINE.length()) {
            throw UnreadableRecordException.notARecord(
                    folder.where(name), "the first line is not \"" + MARKS_LINE + "...\"", null);
        }
        return List.of(text.substring(MARKS_LINE.length(), end).split(" "));
    }

    /**
     * Deletes old revisions (statement 2). A failure is harmless, because the next pruning deletes the remaining
     * files.
     */
    private void prune(long head) {
        if (head % PRUNE_EVERY != 0) {
            return;
        }
        try {
            for (long old : folder.revisions().headSet(head - KEPT + 1)) {
                if (old == 1) {
                    folder.link("1", FIRST);
                }
                folder.delete(Long.toString(old));
            }
        } catch (IOException e) {
            System.getLogger("dev.doyen")
                    .log(System.Logger.Level.DEBUG, "old revisions of \"" + election + "\" could not be deleted", e);
        }
    }

    private static LeaseVersion version(long number, String mark) {
        return new LeaseVersion(number + "." + mark);
    }

    private static LeaseVersion version(Optional<Revision> revision) {
        return lease(revision).version();
    }

    private static VersionedLease lease(Optional<Revision> revision) {
        return revision.map(Revision::lease).orElse(VersionedLease.ABSENT);
    }

    /**
     * A revision that was read from its file.
     *
     * @param marks the mark of this revision, then the marks of the previous revisions
     */
    private record Revision(long number, List<String> marks, VersionedLease lease) {
        Revision {
            marks = marks.size() > MARKS ? marks.subList(0, MARKS) : marks;
        }

        String mark() {
            return marks.get(0);
        }
    }
}
