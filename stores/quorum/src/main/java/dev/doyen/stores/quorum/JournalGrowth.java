package dev.doyen.stores.quorum;

import io.microraft.RaftNode;

/**
 * Takes snapshots so early that the directory stays below {@value #MAX_DIRECTORY} bytes.
 *
 * <p>While a snapshot is written, the directory has two files: the old snapshot with the entries since then, and the new
 * snapshot. So the more bytes the records have, the fewer bytes of entries fit beside them. {@link LeaseTable#MAX_BYTES}
 * leaves room for some.
 *
 * <p>Threads: any may ask; the Raft thread takes snapshots.
 */
final class JournalGrowth {

    /** The bytes of all files together. */
    static final long MAX_DIRECTORY = 10_000_000;

    /** Entries that arrive before the snapshot is taken. A message of MicroRaft has 11 of up to 128 KiB. */
    private static final long RESERVE = 1_500_000;

    /** More entries make the restart of a member slow. */
    private static final long MAX_ENTRIES = 3_000_000;

    private final RaftJournal journal;
    private volatile long grown;
    private volatile long most = MAX_ENTRIES;
    private boolean isSnapshotDue;

    JournalGrowth(RaftJournal journal) {
        this.journal = journal;
    }

    /**
     * To be called after each entry, because few entries can be many bytes. On the Raft thread.
     *
     * @param recordBytes the bytes of the next snapshot
     */
    void check(RaftNode node, long recordBytes) {
        most = mostBytesOfEntries(journal.lengthOfRest(), recordBytes);
        grown = journal.grown();
        if (grown > most && !isSnapshotDue) {
            isSnapshotDue = true;
            Futures.ignore(node.takeSnapshot().whenComplete((taken, failure) -> {
                isSnapshotDue = false;
                grown = journal.grown();
            }));
        }
    }

    /** Whether so many entries wait for a snapshot that this member must append no more. */
    boolean isFull() {
        return grown > most + RESERVE;
    }

    /** After so many bytes of entries a snapshot is taken. */
    static long mostBytesOfEntries(long oldSnapshot, long nextSnapshot) {
        return Math.max(0, Math.min(MAX_ENTRIES, MAX_DIRECTORY - RESERVE - oldSnapshot - nextSnapshot));
    }
}
