package dev.doyen.stores.quorum;

import io.microraft.MembershipChangeMode;
import io.microraft.model.RaftModelFactory;
import io.microraft.model.groupop.UpdateRaftGroupMembersOp;
import io.microraft.model.impl.DefaultRaftModelFactory;
import io.microraft.model.log.LogEntry;
import io.microraft.model.log.RaftGroupMembersView;
import io.microraft.model.log.SnapshotChunk;
import java.util.ArrayList;

/** Converts log entries, snapshot parts and member lists to bytes. The bytes are for the directory and the network. */
final class RaftBytes {

    static final RaftModelFactory MODEL = new DefaultRaftModelFactory();

    private static final int WRITES = 1;
    private static final int MEMBERS = 2;

    private RaftBytes() {}

    static void writeEntry(ByteSink sink, LogEntry entry) {
        sink.longNumber(entry.getIndex()).number(entry.getTerm());
        writeOperation(sink, entry.getOperation());
    }

    static LogEntry readEntry(ByteSource source) {
        return MODEL.createLogEntryBuilder()
                .setIndex(source.longNumber())
                .setTerm(source.number())
                .setOperation(readOperation(source))
                .build();
    }

    static void writePart(ByteSink sink, SnapshotChunk part) {
        sink.longNumber(part.getIndex())
                .number(part.getTerm())
                .number(part.getSnapshotChunkIndex())
                .number(part.getSnapshotChunkCount());
        writeMembers(sink, part.getGroupMembersView());
        sink.block((byte[]) part.getOperation());
    }

    static SnapshotChunk readPart(ByteSource source) {
        return MODEL.createSnapshotChunkBuilder()
                .setIndex(source.longNumber())
                .setTerm(source.number())
                .setSnapshotChunkIndex(source.number())
                .setSnapshotChunkCount(source.number())
                .setGroupMembersView(readMembers(source))
                .setOperation(source.block())
                .build();
    }

    static void writeMembers(ByteSink sink, RaftGroupMembersView members) {
        sink.longNumber(members.getLogIndex())
                .all(members.getMembers(), QuorumEndpoint::write)
                .all(members.getVotingMembers(), QuorumEndpoint::write);
    }

    static RaftGroupMembersView readMembers(ByteSource source) {
        return MODEL.createRaftGroupMembersViewBuilder()
                .setLogIndex(source.longNumber())
                .setMembers(new ArrayList<>(source.all(QuorumEndpoint::read)))
                .setVotingMembers(new ArrayList<>(source.all(QuorumEndpoint::read)))
                .build();
    }

    private static void writeOperation(ByteSink sink, Object operation) {
        if (operation instanceof byte[] writes) {
            sink.one(WRITES).block(writes);
        } else if (operation instanceof UpdateRaftGroupMembersOp change) {
            sink.one(MEMBERS)
                    .all(change.getMembers(), QuorumEndpoint::write)
                    .all(change.getVotingMembers(), QuorumEndpoint::write);
            QuorumEndpoint.write(sink, change.getEndpoint());
            sink.text(change.getMode().name());
        } else {
            throw new IllegalArgumentException("the log holds writes and changes of members, but this is "
                    + operation.getClass().getName());
        }
    }

    private static Object readOperation(ByteSource source) {
        int kind = source.one();
        return switch (kind) {
            case WRITES -> source.block();
            case MEMBERS ->
                MODEL.createUpdateRaftGroupMembersOpBuilder()
                        .setMembers(new ArrayList<>(source.all(QuorumEndpoint::read)))
                        .setVotingMembers(new ArrayList<>(source.all(QuorumEndpoint::read)))
                        .setEndpoint(QuorumEndpoint.read(source))
                        .setMode(mode(source.text()))
                        .build();
            default -> throw new MalformedBytesException("an entry of the log is of kind " + kind);
        };
    }

    private static MembershipChangeMode mode(String name) {
        try {
            return MembershipChangeMode.valueOf(name);
        } catch (IllegalArgumentException e) {
            throw new MalformedBytesException("a change of members is \"" + name + "\"");
        }
    }
}
