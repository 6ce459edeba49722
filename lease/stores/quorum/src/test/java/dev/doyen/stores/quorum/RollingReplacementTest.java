package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.Election;
import dev.doyen.Elections;
import dev.doyen.LeaseCandidate;
import dev.doyen.LeaseLeadership;
import dev.doyen.jvms.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that all members can be replaced one by one while elections have leaders. */
@Timeout(600)
class RollingReplacementTest {

    private static final Patience PATIENCE = new Patience(Duration.ofMinutes(2));
    private static final Duration TTL = Duration.ofSeconds(5);
    private static final int ELECTIONS = 50;

    @TempDir
    private Path folder;

    /** The test replaces every voter. The candidates must keep their store, so they run in the process of a learner. */
    @Test
    void no_leader_loses_its_leadership_while_each_member_is_replaced() throws Exception {
        try (var members = new MembersOnDisk(folder, 4).startAll();
                QuorumAdmin admin = members.admin(Duration.ofMinutes(2))) {
            members.start(6);
            admin.addLearner(members.address(6), text -> {});
            QuorumLeaseStore store = members.store(6);
            try (Elections elections = Elections.lease()
                            .store(store)
                            .ttl(TTL)
                            .process("one")
                            .open();
                    Election own = Election.lease("own").store(store).ttl(TTL).open()) {
                List<LeaseCandidate> candidates = new ArrayList<>();
                for (int i = 0; i < ELECTIONS; i++) {
                    candidates.add(elections.named("election " + i).join("one"));
                }
                candidates.add(own.join("one"));
                PATIENCE.await(
                        "all elections have a leader", () -> candidates.stream().allMatch(LeaseCandidate::isLeader));
                List<Long> terms = terms(candidates);

                for (int old = 0; old < 3; old++) {
                    members.start(old + 3);
                    admin.replace(members.address(old), members.address(old + 3), text -> {});
                    members.stop(old);
                }

                assertThat(admin.members().members())
                        .filteredOn(each -> each.role() == QuorumStatus.Role.VOTER)
                        .extracting(QuorumStatus.Member::address)
                        .containsExactlyInAnyOrder(members.address(3), members.address(4), members.address(5));
                long index = store.status().appliedIndex();
                PATIENCE.await("renewals continue", () -> store.status().appliedIndex() > index);
                assertThat(terms(candidates)).isEqualTo(terms);
            }
        }
    }

    private static List<Long> terms(List<LeaseCandidate> candidates) {
        return candidates.stream()
                .map(each -> each.leadership().map(LeaseLeadership::term).orElse(0L))
                .toList();
    }
}
