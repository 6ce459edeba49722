package dev.doyen.stores.local;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseRecordText;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.UUID;

/**
 * The lease of one election in a folder that several machines share.
 *
 * <p>Each revision is a file, which is created by hard link.
 *
 * <p>The name of the file is the number of the revision. Each file contains its own random <em>mark</em> and the marks
 * of the revisions before it, the nearest first. A write over revision n with mark m creates a complete file under a
 * temporary name and links it as n+1. Then it checks whether n is still there with mark m. A link is <em>valid</em> if
 * n with mark m was there at the instant of the link. Only valid files count; the greatest of them is the head.
 *
 * <p>Old files are deleted, so a slow writer could link an old number again. These points show that it does not
 * succeed:
 *
 * <ol>
 *   <li>A mark never returns, because it is random and its file is linked as a revision once.
 *   <li><em>Pruning goes upwards.</em> A writer prunes after it has created a valid revision h. It lists the folder,
 *       and deletes the listed revisions up to h - {@value #KEPT}, the smallest first. All valid revisions below h were
 *       created before the listing began. So a valid revision that the list lacks is gone, and by 1 it never returns.
 *       So a valid n+1 is deleted only after the valid n is gone. Before revision 1 is deleted, it is linked as
 *       {@code first}, which nobody ever deletes.
 *   <li><em>Each revision has at most one valid link.</em> Let a link as n+1 over (n, m) be valid. A second, later link
 *       would need n+1 absent and (n, m) present. By 2, n+1 becomes absent only after n is gone. For n = 0, "n is
 *       there" means that {@code first} is absent, and 2 leads to the same result. Two links at the same time are
 *       impossible, because the name is exclusive.
 *   <li><em>A writer needs to check (n, m) only after it has made the link.</em> If (n, m) is there after the link, then by 1 it was there at the
 *       link, because the writer had seen it before. If it is gone, the marks in the head show which n+1 was valid. If
 *       more than {@value #MARKS} revisions have come since, the outcome is unknown.
 *   <li><em>An invalid link is never the head.</em> At such a link n is gone. So by 2 the head is already greater than
 *       n+1, and the head never becomes smaller. A reader accepts the greatest file that it sees only if it then finds
 *       the file before it, with the mark that the greatest file names. By 1 an invalid file fails this check. Its
 *       writer deletes it, or it is pruned.
 *   <li><em>A read is not older than its beginning.</em> The head of that instant is in the list, or was deleted during
 *       the listing. If it was deleted, then by 2 everything smaller fails the check, and the reader starts again.
 * </ol>
 *
 * <p>So this is a linearizable register, however long any process stops. It needs two properties of the file system: a
 * link is exclusive, and a listing contains each file that exists during the whole call. On a network file system the
 * second one depends on the client's cache. Each check on which a write or a pruning depends follows a change that this
 * client has just made in the folder, so the client reads the folder again. If a reader sees an old listing, its answer
 * is only stale.
 *
 * <p>Threads: any number.
 */
final class SharedLease {

    /**
     * Minimum number of revisions that are kept.
     *
     * <p>They are the head, the one before it, and some for people to look at.
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
        // The marks come with the version that this write replaces, so one read serves the comparison and the marks.
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

    /** True if the revision that this write replaces is there after the link: point 4. */
    private boolean isThere(Optional<Revision> before) throws IOException {
        return before.isPresent()
                ? isMine(before.get().number(), before.get().mark())
                : folder.text(FIRST).isEmpty();
    }

    /** True if this is the first revision ever. Its file may be deleted by now. */
    private boolean counted(long number, String mark) throws IOException {
        return number == 1 && isMarked(FIRST, mark);
    }

    /**
     * The link was created, but the revision that it replaces is gone.
     *
     * <p>It was deleted before the link or after it.
     */
    private CasOutcome tooLate(long number, String mark, LeaseVersion expected) throws IOException {
        Revision head = current().orElseThrow(() -> new IOException("every revision of the lease is gone"));
        long back = head.number() - number;
        if (back < head.marks().size()
                && head.marks().get((int) Math.max(0, back)).equals(mark)) {
            return new CasOutcome.Written(version(number, mark));
        }
        if (isMine(number, mark)) {
            folder.delete(Long.toString(number));
        }
        // The mark of the first revision is kept forever, so its outcome is always known.
        return number == 1 || back < head.marks().size()
                ? conflict(expected)
                : new CasOutcome.Unknown("the lease of \"" + election + "\" was written " + back
                        + " times while this write was under way, and what became of it cannot be told any more");
    }

    private CasOutcome conflict(LeaseVersion expected) throws IOException {
        VersionedLease current = read();
        return current.version().equals(expected)
                ? new CasOutcome.Unknown("the folder of \"" + election
                        + "\" shows an old list of files, as network file systems do; the next look will tell")
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
        throw new StoreUnavailableException("of the lease of \"" + election + "\" no revision that counts was found in "
                + READS + " looks at " + folder.where("")
                + "; it changes faster than it can be read, or files were deleted there");
    }

    /** Point 5. */
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
            throw new StoreUnavailableException(folder.where(name) + " is not a lease record: the first line is not \""
                    + MARKS_LINE + "...\"; move it away only if its term may be forgotten");
        }
        return List.of(text.substring(MARKS_LINE.length(), end).split(" "));
    }

    /** Point 2. A failure is harmless, because the next pruning deletes the rest. */
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
     * A file that was read.
     *
     * @param marks its own mark, then those of the revisions before it
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
