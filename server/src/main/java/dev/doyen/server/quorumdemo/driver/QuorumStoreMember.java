package dev.doyen.server.quorumdemo.driver;

import dev.doyen.server.quorumdemo.MemberReport.Peer;
import dev.doyen.server.quorumdemo.MemberReport.Raft;
import dev.doyen.server.quorumdemo.MemberReport.Role;
import dev.doyen.store.LeaseStore;
import dev.doyen.stores.quorum.QuorumLeaseStore;
import dev.doyen.stores.quorum.QuorumSettings;
import dev.doyen.stores.quorum.QuorumStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;

/** A member by the quorum store. */
final class QuorumStoreMember implements OwnMember {

    private final QuorumLeaseStore store;

    private QuorumStoreMember(QuorumLeaseStore store) {
        this.store = store;
    }

    static QuorumStoreMember open(MemberArguments arguments) {
        return new QuorumStoreMember(QuorumLeaseStore.open(QuorumSettings.of(
                        arguments.members(), arguments.address(), arguments.folder().member(arguments.number()))
                .withSecret(secret(arguments.folder()))
                .withTimeout(MemberProgram.TTL.dividedBy(5))));
    }

    private static String secret(DemoFolder folder) {
        try {
            return Files.readString(folder.secret());
        } catch (IOException e) {
            throw new UncheckedIOException("the secret cannot be read", e);
        }
    }

    @Override
    public LeaseStore store() {
        return store;
    }

    @Override
    public Raft status() {
        QuorumStatus status = store.status();
        if (status.group().isEmpty()) {
            return Raft.waiting();
        }
        var own = status.role();
        return new Raft(
                role(status),
                own.filter(QuorumStatus.Role.VOTER::equals).isPresent(),
                status.term(),
                status.commitIndex(),
                status.appliedIndex(),
                status.leader().orElse(null),
                status.members().stream()
                        .map(each -> new Peer(
                                each.address(), each.role() == QuorumStatus.Role.VOTER, each.isReachable()))
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

    @Override
    public void disconnect() {
        store.disconnect();
    }

    @Override
    public void reconnect() {
        store.reconnect();
    }

    @Override
    public void add(String address) {
        throw new IllegalStateException("adding " + address + " is not possible yet");
    }

    @Override
    public void remove(String address) {
        throw new IllegalStateException("removing " + address + " is not possible yet");
    }
}
