package dev.doyen.stores.quorum;

import dev.doyen.log.FaultLog;
import io.microraft.RaftEndpoint;
import io.microraft.model.message.PreVoteRequest;
import io.microraft.model.message.RaftMessage;
import io.microraft.model.message.VoteRequest;
import io.microraft.transport.Transport;
import java.util.function.BooleanSupplier;

/** Sends the messages of MicroRaft, and drops those that this member must not send. Threads: the Raft thread. */
final class OutgoingMessages implements Transport {

    private final FaultLog faults = new FaultLog(System.getLogger("dev.doyen.stores.quorum"));
    private final RaftJournal journal;
    private final SnapshotBoundary boundary;
    private final Wire wire;
    private final BooleanSupplier hasVote;

    /**
     * @param hasVote true if this member is a voter in the newest member list of its log, even before the list is
     *     committed
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
            // A flush has failed, so send nothing. Otherwise MicroRaft would confirm unflushed entries when the leader
            // sends these entries again.
            return;
        }
        // MicroRaft counts a candidate's vote for itself, even if the candidate has just been removed. So a member that
        // is not a voter must not request votes.
        if (((QuorumEndpoint) target).isPlaceholder() || (isCandidacy(message) && !hasVote.getAsBoolean())) {
            return;
        }
        // MicroRaft cannot handle an exception here: it would report a failure for an entry that it has appended. A
        // dropped message does no harm, because MicroRaft repeats it.
        faults.survives(
                "sending a message of the quorum",
                () -> wire.peer(((QuorumEndpoint) target).address())
                        .send(Frames.raft(((QuorumEndpoint) target).directory(), boundary.leaving(message))));
    }

    private static boolean isCandidacy(RaftMessage message) {
        return message instanceof VoteRequest || message instanceof PreVoteRequest;
    }

    @Override
    public boolean isReachable(RaftEndpoint endpoint) {
        return wire.isReachable(((QuorumEndpoint) endpoint).address());
    }
}
