package dev.doyen.stores.quorum;

import io.microraft.RaftEndpoint;
import io.microraft.model.log.LogEntry;
import io.microraft.model.log.RaftGroupMembersView;
import io.microraft.model.log.SnapshotChunk;
import io.microraft.model.persistence.RaftEndpointPersistentState;
import io.microraft.model.persistence.RaftTermPersistentState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Converts the records of a {@link RaftJournal} to bytes. The first byte of a record is its kind. */
final class JournalRecords {

    static final int GROUP = 1;
    static final int SELF = 2;
    static final int FIRST_MEMBERS = 3;
    static final int TERM = 4;
    static final int ENTRY = 5;
    static final int PART = 6;
    static final int CUT = 7;
    static final int DIRECTORY = 8;
    static final int MEMBER = 9;

    private JournalRecords() {}

    static byte[] directory(String id) {
        return new ByteSink().one(DIRECTORY).text(id).bytes();
    }

    static byte[] group(String name, List<QuorumEndpoint> founders) {
        return new ByteSink()
                .one(GROUP)
                .text(name)
                .all(founders, QuorumEndpoint::write)
                .bytes();
    }

    /** Returns the journal record which states that a confirmed member list contains this process. */
    static byte[] member() {
        return new ByteSink().one(MEMBER).bytes();
    }

    static byte[] self(RaftEndpointPersistentState self) {
        var sink = new ByteSink().one(SELF);
        QuorumEndpoint.write(sink, self.getLocalEndpoint());
        return sink.flag(self.isVoting()).bytes();
    }

    static byte[] firstMembers(RaftGroupMembersView members) {
        var sink = new ByteSink().one(FIRST_MEMBERS);
        RaftBytes.writeMembers(sink, members);
        return sink.bytes();
    }

    static byte[] term(RaftTermPersistentState term) {
        var sink = new ByteSink().one(TERM).number(term.getTerm());
        @Nullable RaftEndpoint vote = term.getVotedFor();
        sink.flag(vote != null);
        if (vote != null) {
            QuorumEndpoint.write(sink, vote);
        }
        return sink.bytes();
    }

    static byte[] entry(LogEntry entry) {
        var sink = new ByteSink().one(ENTRY);
        RaftBytes.writeEntry(sink, entry);
        return sink.bytes();
    }

    /** Returns the journal record which states that the log ends before this index. */
    static byte[] cut(long index) {
        return new ByteSink().one(CUT).longNumber(index).bytes();
    }

    static byte[] part(SnapshotChunk part) {
        var sink = new ByteSink().one(PART);
        RaftBytes.writePart(sink, part);
        return sink.bytes();
    }
}
