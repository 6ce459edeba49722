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

/**
 * Corrects faults of MicroRaft 0.7 in elections of the log's leader (decisions 57 and 60). Threads: the Raft thread.
 */
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
     * Adopts the greater term of a member that rejects a pre-vote. MicroRaft 0.7 does not adopt this term. Without this
     * correction, two members could block elections while no third member runs. If the member with the greater term has
     * the older log, each of the two members rejects the pre-votes of the other. A rejection for another reason
     * contains the requested term, which is this member's term plus 1. The method ignores such a rejection. The method
     * ignores every rejection while this member knows a leader.
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
     * Ends the heartbeat timeout if the leader itself requests pre-votes for a greater term. A leader that requests
     * pre-votes no longer leads. Without this correction, MicroRaft would reject all candidates until the heartbeat
     * timeout ends.
     */
    void learnEnd(RaftMessage message) {
        if (message instanceof PreVoteRequest request
                && request.getSender().equals(node.getTerm().getLeaderEndpoint())
                && request.getTerm() > node.getTerm().getTerm()) {
            clock.skip(RaftSettings.HEARTBEAT_TIMEOUT_MILLIS);
        }
    }

    /**
     * Applies the corrections that depend on MicroRaft's periodic report. The caller passes each periodic report to
     * this method.
     */
    void check(RaftNodeReport report) {
        electAfterAll(report);
        stepDownWithoutVoters(report);
    }

    /**
     * Ends the leadership of this member if too few voters answer it. MicroRaft 0.7 also counts the answers of
     * learners. With two learners, a leader without a majority would never step down.
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
     * Starts an election that MicroRaft 0.7 would never start. A follower that requests pre-votes, for example after a
     * restart, records the request. MicroRaft does not clear this record when the leader of the same term sends a
     * message again. If the leader becomes silent later, MicroRaft treats the old request as a current one, and waits
     * forever.
     */
    private void electAfterAll(RaftNodeReport report) {
        boolean isSilent = report.getLeaderHeartbeatTimestamp()
                .filter(received -> clock.millis() - received >= RaftSettings.HEARTBEAT_TIMEOUT_MILLIS)
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
