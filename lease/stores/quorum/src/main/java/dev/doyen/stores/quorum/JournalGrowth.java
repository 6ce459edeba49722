package dev.doyen.stores.quorum;

/**
 * Decides when this member takes a snapshot: after a number of entries, or earlier, to keep the directory below
 * {@value #MAX_DIRECTORY} bytes.
 *
 * <p>While a snapshot is written, the directory contains two files. The old file has the old snapshot and the entries
 * since then. The new file has the new snapshot and the entries that are not committed. Each snapshot contains all
 * lease records. Therefore larger lease records leave less room for entries. The limit {@link LeaseTable#MAX_BYTES}
 * ensures that some room remains.
 *
 * <p>Threads: any may call {@link #isFull}; the Raft thread calls the other methods.
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
    private final int commitsPerSnapshot;
    private volatile long grown;
    private volatile long most = MAX_ENTRIES;

    JournalGrowth(RaftJournal journal, int commitsPerSnapshot) {
        this.journal = journal;
        this.commitsPerSnapshot = commitsPerSnapshot;
    }

    /**
     * Returns true if a snapshot is due after the entry at this index. The member asks after each entry, because even
     * a few entries can have many bytes.
     *
     * @param recordBytes the size of the next snapshot, in bytes
     */
    boolean isSnapshotDue(long index, long recordBytes) {
        measure(recordBytes);
        return grown > most || index % commitsPerSnapshot == 0;
    }

    /** Measures the journal again, for example after a snapshot. */
    void measure(long recordBytes) {
        most = mostBytesOfEntries(journal.lengthOfRest(), recordBytes);
        grown = journal.grown();
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
