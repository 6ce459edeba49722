package dev.doyen.stores.quorum;

import io.microraft.RaftEndpoint;
import io.microraft.model.message.PreVoteRequest;
import io.microraft.model.message.RaftMessage;
import io.microraft.model.message.VoteRequest;
import io.microraft.transport.Transport;
import java.util.function.BooleanSupplier;

/** Sends the messages of MicroRaft, except those that this member must not send. Threads: the Raft thread. */
final class OutgoingMessages implements Transport {

    private final RaftJournal journal;
    private final SnapshotBoundary boundary;
    private final Wire wire;
    private final BooleanSupplier hasVote;

    /**
     * Creates the transport.
     *
     * @param hasVote whether this member is a voter in the newest list of its log, confirmed or not
     */
    OutgoingMessages(RaftJournal journal, SnapshotBoundary boundary, Wire wire, BooleanSupplier hasVote) {
        this.journal = journal;
        this.boundary = boundary;
        this.wire = wire;
        this.hasVote = hasVote;
    }

    @Override
    public void send(RaftEndpoint target, RaftMessage message) {
        if (journal.failure().isDone()) {
            // If the leader sends entries again whose flush failed, MicroRaft would confirm them.
            return;
        }
        // MicroRaft counts a candidate's vote for itself, even if the candidate has just been removed.
        if (((QuorumEndpoint) target).isPlaceholder() || (isCandidacy(message) && !hasVote.getAsBoolean())) {
            return;
        }
        wire.peer(((QuorumEndpoint) target).address())
                .send(Frames.raft(((QuorumEndpoint) target).directory(), boundary.leaving(message)));
    }

    private static boolean isCandidacy(RaftMessage message) {
        return message instanceof VoteRequest || message instanceof PreVoteRequest;
    }

    @Override
    public boolean isReachable(RaftEndpoint endpoint) {
        return wire.isReachable(((QuorumEndpoint) endpoint).address());
    }
}
