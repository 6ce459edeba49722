package dev.doyen.stores.quorum;

import static dev.doyen.stores.quorum.RaftBytes.MODEL;

import io.microraft.model.message.AppendEntriesRequest;
import io.microraft.model.message.AppendEntriesSuccessResponse;
import io.microraft.model.message.RaftMessage;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes MicroRaft accept entries after a snapshot. Without this class, MicroRaft rejects them if the follower's log
 * also has entries that the leader lacks.
 *
 * <p>A leader's request contains the index of the entry before the first new entry. The follower must have that entry.
 * If that entry is the last entry in the follower's snapshot, MicroRaft 0.7 searches only the entries after the
 * snapshot. MicroRaft does not find the entry there and rejects each such request.
 *
 * <p>However, a snapshot contains only confirmed entries, and each leader has all confirmed entries. Therefore the
 * logs of leader and follower are equal up to the snapshot, and the check is unnecessary. This class sets the index in
 * the request to 0, because MicroRaft omits the check for index 0. MicroRaft then compares the entries after the
 * snapshot one by one. Where the entries differ, MicroRaft truncates the follower's log (Raft, section 5.3). This class
 * corrects the index in MicroRaft's response.
 *
 * <p>Threads: the Raft thread.
 */
final class SnapshotBoundary {

    /**
     * The maximum number of changed requests without a response. At this number, the class forgets all of them and no
     * longer corrects their responses. Normally few requests wait, because MicroRaft responds to each request
     * immediately.
     */
    private static final int MAX_OPEN = 1_000;

    /** A changed request, with the values that its response needs. */
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
        // Use negative numbers, so that they differ from MicroRaft's own numbers, which are positive.
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
                // Pass the commit index 0. Otherwise MicroRaft would compute a wrong commit index from the changed
                // index. The next request confirms the entries.
                .setCommitIndex(0)
                .setQuerySequenceNumber(request.getQuerySequenceNumber())
                .setFlowControlSequenceNumber(lastNumber)
                .build();
    }

    /**
     * Returns the message to send. If the message is the response to a changed request, the method corrects the index
     * in it.
     */
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
