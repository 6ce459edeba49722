package dev.doyen.stores.quorum;

import io.microraft.RaftEndpoint;
import io.microraft.report.RaftNodeReport;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Predicate;

/** Converts MicroRaft's last report to a {@link QuorumStatus}. */
final class MemberReport {

    private MemberReport() {}

    /**
     * Returns the status.
     *
     * @param problem the reason why this member does not take part; empty if it takes part
     * @param isReachable a test whether another member has answered recently
     */
    static QuorumStatus status(
            RaftNodeReport report, long applied, Optional<String> problem, Predicate<QuorumEndpoint> isReachable) {
        var self = (QuorumEndpoint) report.getEndpoint();
        Optional<QuorumEndpoint> leader =
                Optional.ofNullable((QuorumEndpoint) report.getTerm().getLeaderEndpoint());
        boolean leads = leader.filter(self::equals).isPresent();
        return new QuorumStatus(
                Optional.of((String) report.getGroupId()),
                self.address(),
                report.getTerm().getTerm(),
                report.getLog().getCommitIndex(),
                applied,
                leader.map(QuorumEndpoint::address),
                report.getCommittedMembers().getMembers().stream()
                        .map(QuorumEndpoint.class::cast)
                        .filter(each -> !each.isPlaceholder())
                        .map(each -> new QuorumStatus.Member(
                                each.address(),
                                report.getCommittedMembers().getVotingMembers().contains(each)
                                        ? QuorumStatus.Role.VOTER
                                        : QuorumStatus.Role.LEARNER,
                                leader.filter(each::equals).isPresent(),
                                each.equals(self) || isReachable.test(each),
                                leads ? confirmed(report, self, each) : OptionalLong.empty()))
                        .toList(),
                problem);
    }

    private static OptionalLong confirmed(RaftNodeReport report, RaftEndpoint self, RaftEndpoint member) {
        if (member.equals(self)) {
            return OptionalLong.of(report.getLog().getLastLogOrSnapshotIndex());
        }
        Long index = report.getLog().getFollowerMatchIndices().get(member);
        return index == null || index == 0 ? OptionalLong.empty() : OptionalLong.of(index);
    }
}
