package dev.doyen.stores.quorum;

import io.microraft.MembershipChangeMode;
import io.microraft.RaftNode;
import io.microraft.RaftRole;
import io.microraft.impl.RaftNodeImpl;
import io.microraft.impl.log.RaftLog;
import io.microraft.impl.task.ReplicateTask;
import io.microraft.impl.util.OrderedFuture;
import io.microraft.model.groupop.UpdateRaftGroupMembersOp;
import io.microraft.model.log.LogEntry;
import io.microraft.report.RaftNodeReport;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The member list in the log, and the changes of the list. Threads: any. */
final class LogMembers {

    private final QuorumEndpoint self;
    private final RaftNode node;
    private final RaftTime time;

    LogMembers(QuorumEndpoint self, RaftNode node, RaftTime time) {
        this.self = self;
        this.node = node;
        this.time = time;
    }

    /** Returns the member list of the last confirmed change. */
    MemberList list() {
        return MemberList.of(node.getCommittedMembers());
    }

    /** Returns all voters and learners except this process. */
    List<QuorumEndpoint> others() {
        return list().members().stream().filter(each -> !each.equals(self)).toList();
    }

    /** Returns a {@link MemberChangePlan} for the current members; empty if this member does not lead. */
    CompletableFuture<Optional<MemberChangePlan>> plan(Predicate<QuorumEndpoint> isReachable) {
        return node.getReport().thenApply(ordered -> {
            RaftNodeReport report = ordered.getResult();
            return report.getRole() == RaftRole.LEADER ? Optional.of(plan(report, isReachable)) : Optional.empty();
        });
    }

    private MemberChangePlan plan(RaftNodeReport report, Predicate<QuorumEndpoint> isReachable) {
        Map<QuorumEndpoint, Long> confirmed = new HashMap<>();
        report.getLog().getFollowerMatchIndices().forEach((each, index) -> confirmed.put((QuorumEndpoint) each, index));
        MemberList members = MemberList.of(report.getCommittedMembers());
        return new MemberChangePlan(
                members,
                self,
                report.getLog().getCommitIndex(),
                confirmed,
                members.members().stream().filter(isReachable).collect(Collectors.toSet()));
    }

    /**
     * Changes the member list if this member leads and the list still equals {@code change.present()}.
     *
     * <p>Only one change may be in progress at a time. This method replaces MicroRaft's own method, which cannot
     * exchange a placeholder for a voter in one entry; see {@link MemberList}.
     */
    CompletableFuture<?> change(MemberStep.Change change) {
        var done = new OrderedFuture<Object>();
        time.execute(() -> {
            if (list().equals(change.present())) {
                new ReplicateTask((RaftNodeImpl) node, change.operation(), done).run();
            } else {
                done.fail(new IllegalStateException("the list of members has changed"));
            }
        });
        return done;
    }

    /**
     * Returns a future that completes with true if a log entry removes the process. The method checks only those
     * entries that this member still has.
     */
    CompletableFuture<Boolean> hasRemovalOf(QuorumEndpoint process) {
        var found = new CompletableFuture<Boolean>();
        time.execute(() -> {
            RaftLog log = ((RaftNodeImpl) node).state().log();
            long index = log.lastLogOrSnapshotIndex();
            while (log.containsLogEntry(index) && !isRemoval(log.getLogEntry(index), process)) {
                index--;
            }
            found.complete(log.containsLogEntry(index));
        });
        return found;
    }

    private static boolean isRemoval(LogEntry entry, QuorumEndpoint process) {
        return entry.getOperation() instanceof UpdateRaftGroupMembersOp change
                && change.getMode() == MembershipChangeMode.REMOVE_MEMBER
                && change.getEndpoint().equals(process);
    }

    /**
     * Transfers the leadership of the log to another voter. Until the transfer ends, this member rejects writes, and
     * the senders must retry.
     */
    CompletableFuture<?> transferTo(QuorumEndpoint other) {
        return node.transferLeadership(other);
    }
}
