package dev.doyen.stores.quorum;

import io.microraft.RaftNode;

/**
 * Takes snapshots early enough to keep the directory below {@value #MAX_DIRECTORY} bytes.
 *
 * <p>While a snapshot is written, the directory contains two files. One has the old snapshot and the entries since
 * then. The other has the new snapshot. Therefore larger records leave less room for entries.
 * {@link LeaseTable#MAX_BYTES} leaves room for some entries.
 *
 * <p>Threads: any may ask; the Raft thread takes snapshots.
 */
final class JournalGrowth {

    /** The most bytes of all files together. */
    static final long MAX_DIRECTORY = 10_000_000;

    /**
     * The bytes reserved for entries that arrive before the snapshot is taken. One message of MicroRaft has up to 11
     * entries of 128 KiB.
     */
    private static final long RESERVE = 1_500_000;

    /** The most bytes of entries. More of them would make the restart of a member slow. */
    private static final long MAX_ENTRIES = 3_000_000;

    private final RaftJournal journal;
    private volatile long grown;
    private volatile long most = MAX_ENTRIES;
    private boolean isSnapshotDue;

    JournalGrowth(RaftJournal journal) {
        this.journal = journal;
    }

    /**
     * Takes a snapshot if the entries have grown too large. The Raft thread calls it after each entry, because a few
     * entries can have many bytes.
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

    /** Returns whether this member must append no more entries until the next snapshot. */
    boolean isFull() {
        return grown > most + RESERVE;
    }

    /** Returns the number of bytes of entries after which a snapshot is taken. */
    static long mostBytesOfEntries(long oldSnapshot, long nextSnapshot) {
        return Math.max(0, Math.min(MAX_ENTRIES, MAX_DIRECTORY - RESERVE - oldSnapshot - nextSnapshot));
    }
}
