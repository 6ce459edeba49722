package dev.doyen.stores.quorum;

import static dev.doyen.stores.quorum.RaftBytes.MODEL;

import io.microraft.RaftNodeStatus;
import io.microraft.impl.RaftNodeImpl;
import io.microraft.impl.log.RaftLog;
import io.microraft.model.log.LogEntry;
import io.microraft.model.log.RaftGroupMembersView;
import io.microraft.model.log.SnapshotChunk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes the snapshots of this member, in place of MicroRaft.
 *
 * <p>After a snapshot, some entries before it remain in memory, for followers that lag behind. MicroRaft 0.7 computes
 * the first of these entries only from the index of the snapshot. If the previous snapshot is close, MicroRaft has
 * already removed this entry, but counts it as present. A leader then fails each time it reads a removed entry for a
 * follower. It sends no entries to the other followers either, so no write succeeds.
 *
 * <p>This class only keeps entries that are present. MicroRaft also takes a snapshot after each
 * {@link RaftSettings#libraryInterval} commits. {@link JournalGrowth} requests a snapshot at these indices, so that
 * MicroRaft finds one and takes no other.
 *
 * <p>Threads: the Raft thread.
 */
final class Snapshots {

    /** The maximum size of all entries that remain in memory, in bytes. */
    private static final int MAX_KEPT_BYTES = 1_000_000;

    private final RaftNodeImpl node;
    private final RaftJournal journal;
    private final LeaseCopy copy;
    private final int maxKept;

    /**
     * @param maxKept the maximum number of entries before a snapshot that remain in memory
     */
    Snapshots(RaftNodeImpl node, RaftJournal journal, LeaseCopy copy, int maxKept) {
        this.node = node;
        this.journal = journal;
        this.copy = copy;
        this.maxKept = maxKept;
    }

    /**
     * Takes a snapshot of the copy, which has just applied the entry at this index. The method does nothing if this
     * member has stopped.
     */
    void take(long index) {
        if (RaftNodeStatus.isTerminal(node.getStatus())) {
            return;
        }
        RaftLog log = node.state().log();
        List<Object> parts = new ArrayList<>();
        copy.takeSnapshot(index, parts::add);
        List<SnapshotChunk> chunks = chunks(index, log.getLogEntry(index).getTerm(), parts);
        try {
            for (SnapshotChunk chunk : chunks) {
                journal.persistSnapshotChunk(chunk);
            }
            journal.flush();
        } catch (IOException e) {
            // The journal has reported the fault, which stops this member.
            return;
        }
        log.setSnapshot(
                MODEL.createSnapshotEntryBuilder()
                        .setIndex(index)
                        .setTerm(chunks.get(0).getTerm())
                        .setSnapshotChunks(chunks)
                        .setGroupMembersView(chunks.get(0).getGroupMembersView())
                        .build(),
                lastUnneeded(log, index));
    }

    private List<SnapshotChunk> chunks(long index, int term, List<Object> parts) {
        RaftGroupMembersView members =
                node.state().committedGroupMembers().populate(MODEL.createRaftGroupMembersViewBuilder());
        List<SnapshotChunk> chunks = new ArrayList<>();
        for (Object part : parts) {
            chunks.add(MODEL.createSnapshotChunkBuilder()
                    .setIndex(index)
                    .setTerm(term)
                    .setOperation(part)
                    .setSnapshotChunkIndex(chunks.size())
                    .setSnapshotChunkCount(parts.size())
                    .setGroupMembersView(members)
                    .build());
        }
        return chunks;
    }

    /** Returns the index of the last entry that need not remain in memory. */
    private long lastUnneeded(RaftLog log, long index) {
        long last = index;
        long bytes = 0;
        while (index - last < maxKept && log.containsLogEntry(last)) {
            bytes += size(log.getLogEntry(last));
            if (bytes > MAX_KEPT_BYTES) {
                break;
            }
            last--;
        }
        return last;
    }

    private static int size(LogEntry entry) {
        return entry.getOperation() instanceof byte[] bytes ? bytes.length : 0;
    }
}
