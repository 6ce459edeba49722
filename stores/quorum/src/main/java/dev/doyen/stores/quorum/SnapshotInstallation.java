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
 * Makes the log and the list of members fit a snapshot from the leader before MicroRaft installs it.
 *
 * <p>MicroRaft 0.7 keeps all entries behind the snapshot, whether the leader has them or not, and keeps a list of members that
 * an unconfirmed entry has set. If the list in the snapshot is older, an assertion fails in the middle of the installation,
 * and the member never applies an entry again. Without assertions MicroRaft takes the older list, although a newer one may
 * be in the log. It would count votes by a list that is not the last one in its log, which is not safe.
 *
 * <p>This class follows Raft, section 7. If the log has the last entry of the snapshot, with its term, then the log is right
 * up to there. The member needs no snapshot, and the entry is confirmed instead. If it has another entry at this index, then
 * that one and all behind it were never confirmed, and they are cut off. The list goes back to the confirmed one only with the
 * last part of the snapshot: until then, the entries in front of it count.
 *
 * <p>Threads: the Raft thread.
 */
final class SnapshotInstallation {

    private final RaftNodeImpl node;

    SnapshotInstallation(RaftNodeImpl node) {
        this.node = node;
    }

    /** Prepares the member for the snapshot and hands the message to MicroRaft. Nothing happens in between. */
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

    /** The same as a heartbeat of the leader that confirms the last entry of the snapshot. */
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

    /** Whether MicroRaft installs the snapshot when it gets this message. */
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
