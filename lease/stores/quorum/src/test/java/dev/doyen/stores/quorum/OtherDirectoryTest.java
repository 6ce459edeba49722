package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.jvms.Patience;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OtherDirectoryTest {

    private static final Patience PATIENCE = new Patience(Duration.ofSeconds(60));
    private static final int OTHER_TERM = 2_000;
    private static final int OWN_TERM = 1_000;

    @Test
    void a_process_ignores_messages_for_the_former_member_of_its_address() {
        try (var members = new MembersInMemory()) {
            QuorumEndpoint self = members.endpoints().get(0);
            QuorumEndpoint candidate = members.endpoints().get(1);
            QuorumMember member = members.process(0).running().join();
            members.process(0).complete().join();
            members.network().cut(candidate.address(), self.address());
            members.network().cut(members.endpoints().get(2).address(), self.address());

            members.process(0).receive(answer -> {}, request(member, candidate, "lost directory", OTHER_TERM));
            members.process(0).receive(answer -> {}, request(member, candidate, self.directory(), OWN_TERM));

            PATIENCE.await("the message for this directory arrived", () -> term(members) >= OWN_TERM);

            assertThat(term(members)).isLessThan(OTHER_TERM);
        }
    }

    private static byte[] request(QuorumMember member, QuorumEndpoint candidate, String directory, int term) {
        return Frames.raft(
                directory,
                RaftBytes.MODEL
                        .createVoteRequestBuilder()
                        .setGroupId(member.group())
                        .setSender(candidate)
                        .setTerm(term)
                        .setLastLogTerm(0)
                        .setLastLogIndex(0)
                        .setSticky(false)
                        .build());
    }

    private static int term(MembersInMemory members) {
        return members.process(0).status().term();
    }
}
