package dev.doyen.stores.quorum;

import io.microraft.RaftEndpoint;
import io.microraft.RaftRole;
import io.microraft.exception.RaftException;
import io.microraft.impl.RaftNodeImpl;
import io.microraft.model.message.PreVoteRequest;
import io.microraft.model.message.PreVoteResponse;
import io.microraft.model.message.RaftMessage;
import io.microraft.report.RaftNodeReport;
import java.lang.System.Logger.Level;
import java.util.Map;

/** Corrects faults of MicroRaft 0.7 in elections of the log's leader (decisions 57 and 60). Threads: the Raft thread. */
final class ElectionCorrections {

    private static final System.Logger LOG = System.getLogger("dev.doyen.stores.quorum");

    private final QuorumEndpoint self;
    private final RaftNodeImpl node;
    private final RaftClock clock;

    ElectionCorrections(QuorumEndpoint self, RaftNodeImpl node, RaftClock clock) {
        this.self = self;
        this.node = node;
        this.clock = clock;
    }

    /**
     * Takes over the term of a member that rejects a pre-vote because its own term is greater. MicroRaft 0.7 does not.
     * If that member has an older log, and no third one is there, then each of the two rejects the other for ever. A
     * rejection for another reason has the term that was asked for, which is the present one plus 1.
     */
    void learnTerm(RaftMessage message) {
        if (message instanceof PreVoteResponse response
                && !response.isGranted()
                && node.getTerm().getLeaderEndpoint() == null
                && response.getTerm() > node.getTerm().getTerm() + 1) {
            try {
                node.toFollower(response.getTerm());
            } catch (RaftException e) {
                // The journal has logged the reason, and this member stops.
                LOG.log(Level.DEBUG, "the term was not taken over", e);
            }
        }
    }

    /**
     * Ends the wait for a leader that does not lead any more, because it asks for votes in the next term itself. MicroRaft
     * would wait until the heartbeat timeout has passed without a message, and reject all candidates until then.
     */
    void learnEnd(RaftMessage message) {
        if (message instanceof PreVoteRequest request
                && request.getSender().equals(node.getTerm().getLeaderEndpoint())
                && request.getTerm() > node.getTerm().getTerm()) {
            clock.skip(RaftSettings.HEARTBEAT_TIMEOUT_MILLIS);
        }
    }

    /** To be called with each periodic report. */
    void check(RaftNodeReport report) {
        electAfterAll(report);
        stepDownWithoutVoters(report);
    }

    /**
     * Ends the leadership of a member that too few voters answer. MicroRaft 0.7 counts the answers of learners too, so with
     * two learners a leader would believe for ever that it leads.
     */
    private void stepDownWithoutVoters(RaftNodeReport report) {
        if (report.getRole() != RaftRole.LEADER) {
            return;
        }
        Map<RaftEndpoint, Long> answered = report.getHeartbeatTimestamps();
        long present = report.getEffectiveMembers().getVotingMembers().stream()
                .filter(each -> each.equals(self)
                        || clock.millis() - answered.getOrDefault(each, 0L) <= RaftSettings.HEARTBEAT_TIMEOUT_MILLIS)
                .count();
        if (present < report.getEffectiveMembers().getMajorityQuorumSize()) {
            node.toFollower(report.getTerm().getTerm());
        }
    }

    /**
     * Starts an election that MicroRaft 0.7 would never start. If a follower asks for votes beforehand (pre-vote) and then
     * hears the leader of the same term, it does not forget that it asked. When this leader falls silent later, it takes
     * its old question for a new one, and waits for ever. Each member that starts again asks in this way.
     */
    private void electAfterAll(RaftNodeReport report) {
        boolean isSilent = report.getLeaderHeartbeatTimestamp()
                .filter(heard -> clock.millis() - heard >= RaftSettings.HEARTBEAT_TIMEOUT_MILLIS)
                .isPresent();
        if (report.getRole() == RaftRole.FOLLOWER
                && report.getTerm().getLeaderEndpoint() != null
                && isSilent
                && node.state().preCandidateState() != null) {
            node.leader(null);
            node.runPreVote();
        }
    }
}
