package dev.doyen.stores.quorum;

import io.microraft.RaftNode;

/**
 * Takes snapshots early enough to keep the directory below {@value #MAX_DIRECTORY} bytes.
 *
 * <p>While a snapshot is written, the directory contains two files. The old file has the old snapshot and the entries
 * since then. The new file has the new snapshot and the entries that are not committed. Each snapshot contains all
 * lease records. Therefore larger lease records leave less room for entries. The limit {@link LeaseTable#MAX_BYTES}
 * ensures that some room remains.
 *
 * <p>Threads: any may call {@link #isFull}; the Raft thread takes snapshots.
 */
final class JournalGrowth {

    /** The maximum size of all files in the directory together, in bytes. */
    static final long MAX_DIRECTORY = 10_000_000;

    /**
     * The bytes reserved in each file for entries that are not committed. A snapshot contains only the effects of
     * committed entries, so a file contains the other entries in addition. After a change of the leader, a member can
     * have uncommitted entries of both leaders.
     */
    static final long RESERVE = 2 * LogWriter.MAX_UNCOMMITTED;

    /**
     * The maximum size of all entries before a snapshot is taken, in bytes. A higher limit would make the restart of a
     * member slow.
     */
    private static final long MAX_ENTRIES = 3_000_000;

    private final RaftJournal journal;
    private volatile long grown;
    private volatile long most = MAX_ENTRIES;
    private boolean isSnapshotDue;

    JournalGrowth(RaftJournal journal) {
        this.journal = journal;
    }

    /**
     * Takes a snapshot if the entries have grown too large. The Raft thread calls this method after each entry that is
     * not a change of members, because even a few entries can have many bytes.
     *
     * @param recordBytes the size of the next snapshot, in bytes
     */
    void check(RaftNode node, long recordBytes) {
        most = mostBytesOfEntries(journal.lengthOfRest(), recordBytes);
        grown = journal.grown();
        if (grown > most && !isSnapshotDue) {
            takeSnapshot(node);
        }
    }

    private void takeSnapshot(RaftNode node) {
        isSnapshotDue = true;
        boolean isRequested = false;
        try {
            Futures.ignore(node.takeSnapshot().whenComplete((taken, failure) -> {
                isSnapshotDue = false;
                grown = journal.grown();
            }));
            isRequested = true;
        } finally {
            if (!isRequested) {
                isSnapshotDue = false;
            }
        }
    }

    /** Returns true if this member must not append entries until the next snapshot. */
    boolean isFull() {
        return grown > most + RESERVE;
    }

    /** Returns the size of all entries, in bytes, at which a snapshot is taken. */
    static long mostBytesOfEntries(long oldSnapshot, long nextSnapshot) {
        return Math.max(0, Math.min(MAX_ENTRIES, MAX_DIRECTORY - 2 * RESERVE - oldSnapshot - nextSnapshot));
    }
}
