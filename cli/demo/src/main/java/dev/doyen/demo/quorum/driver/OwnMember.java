package dev.doyen.demo.quorum.driver;

import dev.doyen.demo.quorum.MemberReport.Peer;
import dev.doyen.demo.quorum.MemberReport.Raft;
import dev.doyen.demo.quorum.MemberReport.Role;
import dev.doyen.store.LeaseStore;
import dev.doyen.stores.quorum.QuorumLeaseStore;
import dev.doyen.stores.quorum.QuorumSettings;
import dev.doyen.stores.quorum.QuorumStatus;

/** The quorum member of this process. The methods may be called on any thread. */
final class OwnMember {

    private final QuorumLeaseStore store;

    private OwnMember(QuorumLeaseStore store) {
        this.store = store;
    }

    /**
     * Makes this process a member of the quorum.
     *
     * @throws dev.doyen.store.StoreUnavailableException if the member's directory or address cannot be used
     */
    static OwnMember open(MemberArguments arguments) {
        return new OwnMember(QuorumLeaseStore.open(QuorumSettings.of(
                        arguments.members(),
                        arguments.address(),
                        arguments.folder().member(arguments.number()))
                .withSecret(arguments.folder().secret())
                .withTimeout(MemberProgram.TTL.dividedBy(5))));
    }

    /** Returns the lease store of the quorum. */
    LeaseStore store() {
        return store;
    }

    /** Returns this member's latest state from memory, without a network call. */
    Raft status() {
        QuorumStatus status = store.status();
        if (status.group().isEmpty()) {
            return Raft.waiting();
        }
        var own = status.role();
        return new Raft(
                role(status),
                own.filter(QuorumStatus.Role.VOTER::equals).isPresent(),
                status.term(),
                // MicroRaft sometimes reports a commit index that is lower than the applied index.
                Math.max(status.commitIndex(), status.appliedIndex()),
                status.appliedIndex(),
                status.leader().orElse(null),
                status.members().stream()
                        .map(each ->
                                new Peer(each.address(), each.role() == QuorumStatus.Role.VOTER, each.isReachable()))
                        .toList());
    }

    private static Role role(QuorumStatus status) {
        if (status.isLeader()) {
            return Role.LEADER;
        }
        if (status.role().filter(QuorumStatus.Role.VOTER::equals).isEmpty()) {
            return Role.LEARNER;
        }
        return status.leader().isPresent() ? Role.FOLLOWER : Role.CANDIDATE;
    }

    void disconnect() {
        store.disconnect();
    }

    void reconnect() {
        store.reconnect();
    }
}
