package dev.doyen.stores.quorum;

import static dev.doyen.stores.quorum.RaftBytes.MODEL;
import static org.assertj.core.api.Assertions.assertThat;

import io.microraft.model.log.LogEntry;
import io.microraft.model.message.RaftMessage;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests one member that follows a leader, in virtual time. The leader answers no request. */
class QuorumMemberTest {

    private static final QuorumEndpoint SELF = new QuorumEndpoint("a", "a:7800", "d");
    private static final QuorumEndpoint LEADER = new QuorumEndpoint("b", "b:7800", "e");
    private static final QuorumEndpoint THIRD = new QuorumEndpoint("c", "c:7800", "f");

    private final ManualTime time = new ManualTime();
    private final DroppingWire wire = new DroppingWire();
    private final Requests requests = new Requests(wire);
    private final QuorumMember member = new QuorumMember(
            "group",
            List.of(SELF, LEADER, THIRD),
            new MemberEnvironment(
                    SELF,
                    new RaftJournal(new MemoryFile()),
                    time,
                    wire,
                    Runnable::run,
                    new Random(1),
                    RaftSettings.COMMITS_PER_SNAPSHOT,
                    RaftSettings.KEPT_ENTRIES),
            requests);

    @BeforeEach
    void follow() {
        LibraryLog.off();
        Futures.ignore(member.start());
        time.run(Duration.ZERO);
        receive(List.of(), 0);
        assertThat(member.leader().current()).contains(LEADER);
    }

    @Test
    void a_request_without_an_answer_stops_waiting_after_its_timeout() {
        var timeout = Duration.ofMillis(10);
        for (int i = 0; i < Requests.MAX_WAITING; i++) {
            Futures.ignore(member.write(List.of(), timeout));
        }
        time.run(timeout);
        assertThat(requests.send(THIRD.address(), Frames.Request.INTRODUCE, new byte[0]))
                .as("another request may wait")
                .isNotDone();
    }

    @Test
    void a_member_that_cannot_apply_an_entry_stops() {
        byte[] malformed = {9};
        receive(
                List.of(MODEL.createLogEntryBuilder()
                        .setIndex(1)
                        .setTerm(1)
                        .setOperation(malformed)
                        .build()),
                1);
        assertThat(member.stopped())
                .isCompletedWithValueMatching(reason -> reason.contains("could not apply an entry of the log"));
    }

    private void receive(List<LogEntry> entries, long commitIndex) {
        RaftMessage message = MODEL.createAppendEntriesRequestBuilder()
                .setGroupId("group")
                .setSender(LEADER)
                .setTerm(1)
                .setPreviousLogIndex(0)
                .setPreviousLogTerm(0)
                .setLogEntries(entries)
                .setCommitIndex(commitIndex)
                .setQuerySequenceNumber(0)
                .setFlowControlSequenceNumber(1)
                .build();
        member.received(message);
        time.run(Duration.ZERO);
    }
}
