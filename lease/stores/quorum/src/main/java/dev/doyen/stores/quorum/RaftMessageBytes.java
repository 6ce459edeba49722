package dev.doyen.stores.quorum;

import static dev.doyen.stores.quorum.RaftBytes.MODEL;

import io.microraft.RaftEndpoint;
import io.microraft.model.log.SnapshotChunk;
import io.microraft.model.message.AppendEntriesFailureResponse;
import io.microraft.model.message.AppendEntriesRequest;
import io.microraft.model.message.AppendEntriesSuccessResponse;
import io.microraft.model.message.InstallSnapshotRequest;
import io.microraft.model.message.InstallSnapshotResponse;
import io.microraft.model.message.PreVoteRequest;
import io.microraft.model.message.PreVoteResponse;
import io.microraft.model.message.RaftMessage;
import io.microraft.model.message.TriggerLeaderElectionRequest;
import io.microraft.model.message.VoteRequest;
import io.microraft.model.message.VoteResponse;
import java.util.ArrayList;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Converts the messages between members to bytes.
 *
 * <p>The bytes are the kind, the group, the sender, the term, and the fields of this kind in the order in which
 * MicroRaft declares them.
 */
final class RaftMessageBytes {

    private static final int PRE_VOTE_REQUEST = 1;
    private static final int PRE_VOTE_RESPONSE = 2;
    private static final int VOTE_REQUEST = 3;
    private static final int VOTE_RESPONSE = 4;
    private static final int APPEND_REQUEST = 5;
    private static final int APPEND_SUCCESS = 6;
    private static final int APPEND_FAILURE = 7;
    private static final int SNAPSHOT_REQUEST = 8;
    private static final int SNAPSHOT_RESPONSE = 9;
    private static final int ELECTION_TRIGGER = 10;

    private RaftMessageBytes() {}

    static void write(ByteSink sink, RaftMessage message) {
        if (message instanceof AppendEntriesRequest m) {
            head(sink, APPEND_REQUEST, m)
                    .number(m.getPreviousLogTerm())
                    .longNumber(m.getPreviousLogIndex())
                    .longNumber(m.getCommitIndex())
                    .all(m.getLogEntries(), RaftBytes::writeEntry)
                    .longNumber(m.getQuerySequenceNumber())
                    .longNumber(m.getFlowControlSequenceNumber());
        } else if (message instanceof AppendEntriesSuccessResponse m) {
            head(sink, APPEND_SUCCESS, m)
                    .longNumber(m.getLastLogIndex())
                    .longNumber(m.getQuerySequenceNumber())
                    .longNumber(m.getFlowControlSequenceNumber());
        } else if (message instanceof AppendEntriesFailureResponse m) {
            head(sink, APPEND_FAILURE, m)
                    .longNumber(m.getExpectedNextIndex())
                    .longNumber(m.getQuerySequenceNumber())
                    .longNumber(m.getFlowControlSequenceNumber());
        } else if (message instanceof InstallSnapshotRequest m) {
            head(sink, SNAPSHOT_REQUEST, m);
            writeSnapshotRequest(sink, m);
        } else if (message instanceof InstallSnapshotResponse m) {
            head(sink, SNAPSHOT_RESPONSE, m)
                    .longNumber(m.getSnapshotIndex())
                    .number(m.getRequestedSnapshotChunkIndex())
                    .longNumber(m.getQuerySequenceNumber())
                    .longNumber(m.getFlowControlSequenceNumber());
        } else if (message instanceof PreVoteRequest m) {
            head(sink, PRE_VOTE_REQUEST, m).number(m.getLastLogTerm()).longNumber(m.getLastLogIndex());
        } else if (message instanceof PreVoteResponse m) {
            head(sink, PRE_VOTE_RESPONSE, m).flag(m.isGranted());
        } else if (message instanceof VoteRequest m) {
            head(sink, VOTE_REQUEST, m)
                    .number(m.getLastLogTerm())
                    .longNumber(m.getLastLogIndex())
                    .flag(m.isSticky());
        } else if (message instanceof VoteResponse m) {
            head(sink, VOTE_RESPONSE, m).flag(m.isGranted());
        } else if (message instanceof TriggerLeaderElectionRequest m) {
            head(sink, ELECTION_TRIGGER, m).number(m.getLastLogTerm()).longNumber(m.getLastLogIndex());
        } else {
            throw new IllegalArgumentException(
                    "members do not send " + message.getClass().getName());
        }
    }

    static RaftMessage read(ByteSource source) {
        int kind = source.one();
        String group = source.text();
        RaftEndpoint sender = QuorumEndpoint.read(source);
        int term = source.number();
        return switch (kind) {
            case APPEND_REQUEST ->
                MODEL.createAppendEntriesRequestBuilder()
                        .setGroupId(group)
                        .setSender(sender)
                        .setTerm(term)
                        .setPreviousLogTerm(source.number())
                        .setPreviousLogIndex(source.longNumber())
                        .setCommitIndex(source.longNumber())
                        .setLogEntries(source.all(RaftBytes::readEntry))
                        .setQuerySequenceNumber(source.longNumber())
                        .setFlowControlSequenceNumber(source.longNumber())
                        .build();
            case APPEND_SUCCESS ->
                MODEL.createAppendEntriesSuccessResponseBuilder()
                        .setGroupId(group)
                        .setSender(sender)
                        .setTerm(term)
                        .setLastLogIndex(source.longNumber())
                        .setQuerySequenceNumber(source.longNumber())
                        .setFlowControlSequenceNumber(source.longNumber())
                        .build();
            case APPEND_FAILURE ->
                MODEL.createAppendEntriesFailureResponseBuilder()
                        .setGroupId(group)
                        .setSender(sender)
                        .setTerm(term)
                        .setExpectedNextIndex(source.longNumber())
                        .setQuerySequenceNumber(source.longNumber())
                        .setFlowControlSequenceNumber(source.longNumber())
                        .build();
            case SNAPSHOT_REQUEST -> readSnapshotRequest(source, group, sender, term);
            case SNAPSHOT_RESPONSE ->
                MODEL.createInstallSnapshotResponseBuilder()
                        .setGroupId(group)
                        .setSender(sender)
                        .setTerm(term)
                        .setSnapshotIndex(source.longNumber())
                        .setRequestedSnapshotChunkIndex(source.number())
                        .setQuerySequenceNumber(source.longNumber())
                        .setFlowControlSequenceNumber(source.longNumber())
                        .build();
            case PRE_VOTE_REQUEST ->
                MODEL.createPreVoteRequestBuilder()
                        .setGroupId(group)
                        .setSender(sender)
                        .setTerm(term)
                        .setLastLogTerm(source.number())
                        .setLastLogIndex(source.longNumber())
                        .build();
            case PRE_VOTE_RESPONSE ->
                MODEL.createPreVoteResponseBuilder()
                        .setGroupId(group)
                        .setSender(sender)
                        .setTerm(term)
                        .setGranted(source.flag())
                        .build();
            case VOTE_REQUEST ->
                MODEL.createVoteRequestBuilder()
                        .setGroupId(group)
                        .setSender(sender)
                        .setTerm(term)
                        .setLastLogTerm(source.number())
                        .setLastLogIndex(source.longNumber())
                        .setSticky(source.flag())
                        .build();
            case VOTE_RESPONSE ->
                MODEL.createVoteResponseBuilder()
                        .setGroupId(group)
                        .setSender(sender)
                        .setTerm(term)
                        .setGranted(source.flag())
                        .build();
            case ELECTION_TRIGGER ->
                MODEL.createTriggerLeaderElectionRequestBuilder()
                        .setGroupId(group)
                        .setSender(sender)
                        .setTerm(term)
                        .setLastLogTerm(source.number())
                        .setLastLogIndex(source.longNumber())
                        .build();
            default -> throw new MalformedBytesException("a message between members is of kind " + kind);
        };
    }

    private static ByteSink head(ByteSink sink, int kind, RaftMessage message) {
        sink.one(kind).text((String) message.getGroupId());
        QuorumEndpoint.write(sink, message.getSender());
        return sink.number(message.getTerm());
    }

    private static void writeSnapshotRequest(ByteSink sink, InstallSnapshotRequest m) {
        sink.flag(m.isSenderLeader())
                .number(m.getSnapshotTerm())
                .longNumber(m.getSnapshotIndex())
                .number(m.getTotalSnapshotChunkCount());
        @Nullable SnapshotChunk part = m.getSnapshotChunk();
        sink.flag(part != null);
        if (part != null) {
            RaftBytes.writePart(sink, part);
        }
        Collection<RaftEndpoint> holders = m.getSnapshottedMembers();
        sink.all(holders, QuorumEndpoint::write);
        RaftBytes.writeMembers(sink, m.getGroupMembersView());
        sink.longNumber(m.getQuerySequenceNumber()).longNumber(m.getFlowControlSequenceNumber());
    }

    private static RaftMessage readSnapshotRequest(ByteSource source, String group, RaftEndpoint sender, int term) {
        var request = MODEL.createInstallSnapshotRequestBuilder()
                .setGroupId(group)
                .setSender(sender)
                .setTerm(term)
                .setSenderLeader(source.flag())
                .setSnapshotTerm(source.number())
                .setSnapshotIndex(source.longNumber())
                .setTotalSnapshotChunkCount(source.number());
        if (source.flag()) {
            request.setSnapshotChunk(RaftBytes.readPart(source));
        }
        return request.setSnapshottedMembers(new ArrayList<>(source.all(QuorumEndpoint::read)))
                .setGroupMembersView(RaftBytes.readMembers(source))
                .setQuerySequenceNumber(source.longNumber())
                .setFlowControlSequenceNumber(source.longNumber())
                .build();
    }
}
