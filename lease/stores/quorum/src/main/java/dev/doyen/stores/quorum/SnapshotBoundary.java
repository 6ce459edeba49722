package dev.doyen.stores.quorum;

import static dev.doyen.stores.quorum.RaftBytes.MODEL;

import io.microraft.model.message.AppendEntriesRequest;
import io.microraft.model.message.AppendEntriesSuccessResponse;
import io.microraft.model.message.RaftMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Lets a follower accept entries if its log has entries after its snapshot that the leader lacks.
 *
 * <p>A leader asks whether the follower's log contains the entry before the first new one. If that entry is the last
 * one in the follower's snapshot, MicroRaft 0.7 searches only the entries after the snapshot. It does not find the
 * entry and rejects each such request.
 *
 * <p>However, a snapshot contains only confirmed entries, and each leader has all confirmed entries. Therefore the two
 * logs are equal up to the snapshot, and the check is unnecessary. This class removes the check from the request: it
 * asks the follower to append from the beginning of its log, and corrects the index in the response. MicroRaft then
 * compares the entries after the snapshot one by one, and truncates its log where they differ (Raft, section 5.3).
 *
 * <p>Threads: the Raft thread.
 */
final class SnapshotBoundary {

    /** The most changed requests without a response. MicroRaft responds to each immediately. */
    private static final int MAX_OPEN = 1_000;

    /** A request that was changed, with the values for its response. */
    private record Changed(long flowControlNumber, long snapshotIndex) {}

    private final RaftJournal journal;
    private final Map<Long, Changed> open = new HashMap<>();
    private long lastNumber;

    SnapshotBoundary(RaftJournal journal) {
        this.journal = journal;
    }

    /**
     * Returns the message to pass to MicroRaft.
     *
     * @param term the term of this member
     */
    RaftMessage arrived(RaftMessage message, int term) {
        if (!(message instanceof AppendEntriesRequest request) || request.getTerm() < term) {
            return message;
        }
        long snapshotIndex = journal.snapshotIndex();
        boolean isAnswered = request.getPreviousLogIndex() > 0 && request.getPreviousLogIndex() <= snapshotIndex;
        if (!isAnswered || journal.lastIndex() <= snapshotIndex) {
            return message;
        }
        if (open.size() >= MAX_OPEN) {
            open.clear();
        }
        // MicroRaft's own numbers are positive.
        lastNumber--;
        open.put(lastNumber, new Changed(request.getFlowControlSequenceNumber(), snapshotIndex));
        return MODEL.createAppendEntriesRequestBuilder()
                .setGroupId(request.getGroupId())
                .setSender(request.getSender())
                .setTerm(request.getTerm())
                .setPreviousLogIndex(0)
                .setPreviousLogTerm(0)
                .setLogEntries(List.copyOf(request.getLogEntries().stream()
                        .filter(entry -> entry.getIndex() > snapshotIndex)
                        .toList()))
                // MicroRaft would compare it with the corrected index. The next request confirms the entries.
                .setCommitIndex(0)
                .setQuerySequenceNumber(request.getQuerySequenceNumber())
                .setFlowControlSequenceNumber(lastNumber)
                .build();
    }

    /** Returns the message to send. */
    RaftMessage leaving(RaftMessage message) {
        if (!(message instanceof AppendEntriesSuccessResponse response)) {
            return message;
        }
        Changed changed = open.remove(response.getFlowControlSequenceNumber());
        if (changed == null) {
            return message;
        }
        return MODEL.createAppendEntriesSuccessResponseBuilder()
                .setGroupId(response.getGroupId())
                .setSender(response.getSender())
                .setTerm(response.getTerm())
                .setLastLogIndex(changed.snapshotIndex() + response.getLastLogIndex())
                .setQuerySequenceNumber(response.getQuerySequenceNumber())
                .setFlowControlSequenceNumber(changed.flowControlNumber())
                .build();
    }
}
