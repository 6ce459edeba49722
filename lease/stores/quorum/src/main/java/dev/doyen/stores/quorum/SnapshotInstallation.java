package dev.doyen.stores.quorum;

import static dev.doyen.stores.quorum.RaftBytes.MODEL;

import io.microraft.RaftNodeStatus;
import io.microraft.RaftRole;
import io.microraft.impl.RaftNodeImpl;
import io.microraft.impl.handler.AppendEntriesRequestHandler;
import io.microraft.impl.handler.InstallSnapshotRequestHandler;
import io.microraft.impl.log.RaftLog;
import io.microraft.impl.log.SnapshotChunkCollector;
import io.microraft.impl.state.RaftState;
import io.microraft.model.groupop.RaftGroupOp;
import io.microraft.model.log.LogEntry;
import io.microraft.model.log.SnapshotChunk;
import io.microraft.model.message.InstallSnapshotRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Prepares the log and the member list before MicroRaft installs a snapshot from the leader.
 *
 * <p>MicroRaft 0.7 does not remove entries after the snapshot, even if the leader does not have them. MicroRaft also
 * does not revert the member list of an unconfirmed entry. If the list in the snapshot is older than that list, an
 * assertion fails during the installation. The member then never applies an entry again. Without assertions MicroRaft
 * uses the older list, even if the log contains a newer list. The member would then count votes by a list that is not
 * the last list in its log. Such a count is not safe.
 *
 * <p>This class implements Raft, section 7. If the log contains the last entry of the snapshot with the same term,
 * the log is correct up to that entry. The member then needs no snapshot, and this class confirms the entry instead.
 * If the log has a different entry at this index, the class removes that entry and all later entries. These entries
 * were never confirmed. If they contain a change of members, the member list reverts to the confirmed list at once. An
 * unconfirmed change of members before the snapshot's index is reverted only when the last part of the snapshot
 * arrives.
 *
 * <p>Threads: the Raft thread.
 */
final class SnapshotInstallation {

    private final RaftNodeImpl node;

    SnapshotInstallation(RaftNodeImpl node) {
        this.node = node;
    }

    /**
     * Prepares the member and passes the message to MicroRaft in one step. If the log already contains the last entry
     * of the snapshot, the method confirms that entry instead.
     */
    void handle(InstallSnapshotRequest request) {
        RaftState state = node.state();
        boolean isRunning = !RaftNodeStatus.isTerminal(node.getStatus()) && node.getStatus() != RaftNodeStatus.INITIAL;
        if (!isRunning || request.getTerm() < state.term() || request.getSnapshotIndex() <= state.commitIndex()) {
            new InstallSnapshotRequestHandler(node, request).run();
            return;
        }
        RaftLog log = state.log();
        boolean hasEntry = request.getSnapshotIndex() <= log.lastLogOrSnapshotIndex();
        if (hasEntry && log.getLogEntry(request.getSnapshotIndex()).getTerm() == request.getSnapshotTerm()) {
            confirm(request);
            return;
        }
        if (request.getTerm() > state.term()
                || (state.role() != RaftRole.FOLLOWER && state.role() != RaftRole.LEARNER)) {
            node.toFollower(request.getTerm());
        }
        if (hasEntry) {
            cut(log, request.getSnapshotIndex());
        }
        if (isLastPart(request, state.snapshotChunkCollector())) {
            revertMembers();
        }
        new InstallSnapshotRequestHandler(node, request).run();
    }

    /** Confirms the last entry of the snapshot, as a heartbeat of the leader does. */
    private void confirm(InstallSnapshotRequest request) {
        new AppendEntriesRequestHandler(
                        node,
                        MODEL.createAppendEntriesRequestBuilder()
                                .setGroupId(request.getGroupId())
                                .setSender(request.getSender())
                                .setTerm(request.getTerm())
                                .setPreviousLogIndex(request.getSnapshotIndex())
                                .setPreviousLogTerm(request.getSnapshotTerm())
                                .setLogEntries(List.of())
                                .setCommitIndex(request.getSnapshotIndex())
                                .setQuerySequenceNumber(request.getQuerySequenceNumber())
                                .setFlowControlSequenceNumber(request.getFlowControlSequenceNumber())
                                .build())
                .run();
    }

    private void cut(RaftLog log, long from) {
        List<LogEntry> removed = log.truncateEntriesFrom(from);
        node.state().invalidateFuturesFrom(from, node.newNotLeaderException());
        if (removed.stream().anyMatch(each -> each.getOperation() instanceof RaftGroupOp)) {
            node.setStatus(RaftNodeStatus.ACTIVE);
            revertMembers();
        }
        log.flush();
    }

    private void revertMembers() {
        RaftState state = node.state();
        if (state.effectiveGroupMembers() != state.committedGroupMembers()) {
            node.revertGroupMembers();
        }
    }

    /** Returns true if this message completes the snapshot, so that MicroRaft installs it. */
    private static boolean isLastPart(InstallSnapshotRequest request, @Nullable SnapshotChunkCollector collector) {
        SnapshotChunk part = request.getSnapshotChunk();
        if (part == null) {
            return false;
        }
        if (collector == null || collector.getSnapshotIndex() < request.getSnapshotIndex()) {
            return request.getTotalSnapshotChunkCount() == 1;
        }
        return collector.getSnapshotIndex() == request.getSnapshotIndex()
                && collector.getChunks().size() + 1 == collector.getChunkCount()
                && collector.getChunks().stream()
                        .noneMatch(each -> each.getSnapshotChunkIndex() == part.getSnapshotChunkIndex());
    }
}
