package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import io.microraft.MembershipChangeMode;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class StaleChangeTest {

    @Test
    void a_change_planned_for_another_list_is_not_applied() {
        try (var members = new MembersInMemory()) {
            QuorumMember leader = members.process(members.leader()).running().join();
            MemberList present = leader.members().list();
            var other = new MemberList(present.logIndex() + 1, present.all(), present.voting());
            var added = new QuorumEndpoint("d", "d:7800", "directory of d");

            assertThat(leader.members()
                            .change(new MemberStep.Change(
                                    other, other.withLearner(added), added, MembershipChangeMode.ADD_LEARNER)))
                    .failsWithin(60, TimeUnit.SECONDS)
                    .withThrowableThat()
                    .withMessageContaining("list of members has changed");
            assertThat(leader.members().list()).isEqualTo(present);
        }
    }
}
