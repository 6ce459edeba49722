package dev.doyen.store;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.UUID;

/**
 * One election's lease in a folder that machines share: a file per revision, named by its number, made by hard link.
 *
 * <p>Each file says its own random <em>mark</em> and those of the revisions before it, the nearest first. A write over
 * revision n with mark m makes a complete file under a temporary name, links it as n+1, and then looks whether n is
 * still there with mark m. Call a link <em>valid</em> if n with mark m was there at the instant of the link. The files
 * that count are the valid ones; the greatest is the head. Old files are deleted, and with them the hindrance to link a
 * number again: what keeps a slow writer from succeeding there is the following.
 *
 * <ol>
 *   <li>A mark never comes back: it is random, and its file is linked as a revision once.
 *   <li><em>Pruning goes upwards.</em> Whoever prunes has just made a valid revision h, then lists the folder, and
 *       deletes what the list has up to h - {@value #KEPT}, the smallest first. All valid revisions below h were made
 *       before the list was begun; so one that the list lacks is gone, for good by 1. So a valid n+1 is deleted only when
 *       the valid n is gone. Before revision 1 is deleted it is linked as {@code first}, which nobody ever deletes.
 *   <li><em>At most one valid link for each revision.</em> Let a link as n+1 over (n, m) be valid. A second one, later, would
 *       need n+1 absent and (n, m) present. By 2 it is one or the other. For n = 0, "n is there" means that
 *       {@code first} is not, and 2 says the same. Two links at a time do not happen: the name is exclusive.
 *   <li><em>Looking after the link tells.</em> If (n, m) is there after the link, then it was there at the link, by 1 (the
 *       writer had seen it before). If it is gone, the marks that the head carries tell whose n+1 counted, unless
 *       more than {@value #MARKS} revisions have come since: then the answer is "unknown", which is always true.
 *   <li><em>An invalid link never is the head.</em> At such a link n is gone, so by 2 the head is greater than n + 1 already,
 *       and the head never gets smaller. A reader believes the greatest file it sees only if the one before it is
 *       there, looked at later, with the mark that the file names: an invalid file fails that by 1. What is left of
 *       them is deleted by their maker, or pruned.
 *   <li><em>A read is not older than its beginning.</em> The head of that instant is in the list, or was deleted during it; then
 *       by 2 everything smaller fails the look, and the reader starts again.
 * </ol>
 *
 * <p>So this is a linearizable register wherever link is exclusive and a listing shows what was there all the time,
 * whatever stops whom for how long. On network file systems the second is a matter of the client's cache; each look that
 * a write or a pruning depends on comes after a change that this client has just made in the folder, which makes it look
 * afresh. An old look of a reader is only an old answer. Threads: any number.
 */
final class SharedLease {

    /** How many revisions are kept at least: the head, the one it names, and some for people to look at. */
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
        // The marks of the version written over come with it: one look suffices for the comparison and for them.
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

    /** True if the revision written over is there, at some time after the link: point 4. */
    private boolean isThere(Optional<Revision> before) throws IOException {
        return before.isPresent()
                ? isMine(before.get().number(), before.get().mark())
                : folder.text(FIRST).isEmpty();
    }

    /** True if this was the first revision ever, though it may be deleted by now. */
    private boolean counted(long number, String mark) throws IOException {
        return number == 1 && isMarked(FIRST, mark);
    }

    /** The link was made, but what it was to replace is gone: deleted before the link, or after it. */
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
        // The first revision's mark is kept for ever, so there is no doubt about that one.
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

    /** The greatest revision that counts; empty if there never was one. */
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

    /** Point 2. That it fails harms nobody: the next one deletes what is left. */
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

    /** A file that was read: its number, its own mark and then those before it, and what it holds. */
    private record Revision(long number, List<String> marks, VersionedLease lease) {
        Revision {
            marks = marks.size() > MARKS ? marks.subList(0, MARKS) : marks;
        }

        String mark() {
            return marks.get(0);
        }
    }
}
