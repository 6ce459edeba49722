package dev.doyen.stores.quorum;

import static dev.doyen.stores.quorum.RaftBytes.MODEL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.store.StoreUnavailableException;
import io.microraft.model.log.LogEntry;
import io.microraft.model.message.RaftMessage;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests that a member with a failed journal confirms no entries and reports the failure. */
class FailedJournalTest {

    private static final QuorumEndpoint SELF = new QuorumEndpoint("a", "a:7800", "d");
    private static final QuorumEndpoint LEADER = new QuorumEndpoint("b", "b:7800", "e");
    private static final QuorumEndpoint THIRD = new QuorumEndpoint("c", "c:7800", "f");

    private final MemoryFile file = new MemoryFile();
    private final QueuedTime time = new QueuedTime();
    private final DroppingWire wire = new DroppingWire();
    private final Requests requests = new Requests(wire);
    private final QuorumMember member =
            new QuorumMember("group", List.of(SELF, LEADER, THIRD), environment(new RaftJournal(file)), requests);

    @BeforeEach
    void follow() {
        member.start();
        time.runAll();
        member.received(entries(List.of()));
        time.runAll();
        assertThat(member.leader().current()).contains(LEADER);
        wire.sent = 0;
    }

    @Test
    void entries_are_confirmed_while_the_journal_works() {
        member.received(entries(List.of(entry())));
        time.runAll();

        assertThat(wire.sent).isEqualTo(1);
    }

    /**
     * After a failed flush, MicroRaft still has the entries in memory, and would confirm them when they arrive again.
     */
    @Test
    void entries_that_could_not_be_flushed_are_not_confirmed_when_repeated() {
        file.fillUp();
        member.received(entries(List.of(entry())));
        member.received(entries(List.of(entry())));
        time.runAll();

        assertThat(wire.sent).isZero();
    }

    @Test
    void the_member_stops_and_reports_why() {
        assertThat(member.stopped()).isNotDone();
        file.fillUp();
        member.received(entries(List.of(entry())));
        time.runAll();

        assertThat(member.stopped()).isCompletedWithValueMatching(reason -> reason.contains("No space left on device"));
        assertThatThrownBy(() -> member.read("election", Duration.ofSeconds(1)))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("No space left on device");
        assertThat(member.write(List.of(), Duration.ofSeconds(1))).isCompletedExceptionally();
        member.close();
        assertThat(member.stopped()).isCompletedWithValueMatching(reason -> reason.contains("No space left on device"));
    }

    /**
     * After the failure, the process does not know what its directory contains. So its answer to an introduction must
     * not allow the other processes to found a quorum.
     */
    @Test
    void a_process_with_a_failed_journal_does_not_connect() {
        var journal = new RaftJournal(file);
        var process = new QuorumProcess(List.of(SELF.address()), environment(journal));
        assertThat(introduction(process)).isEqualTo(Frames.Answer.DONE);
        file.fillUp();
        assertThatThrownBy(() -> journal.join("group", List.of(SELF))).hasMessageContaining("No space left on device");

        assertThat(introduction(process)).isEqualTo(Frames.Answer.NOT_LEADER);
    }

    private MemberEnvironment environment(RaftJournal journal) {
        return new MemberEnvironment(
                SELF,
                journal,
                time,
                wire,
                Runnable::run,
                new Random(1),
                RaftSettings.COMMITS_PER_SNAPSHOT,
                RaftSettings.KEPT_ENTRIES);
    }

    private Frames.Answer introduction(QuorumProcess process) {
        List<byte[]> answers = new ArrayList<>();
        process.receive(answers::add, Frames.request(1, Frames.Request.INTRODUCE, new byte[0]));
        time.runAll();
        var kinds = new ArrayList<Frames.Answer>();
        answers.forEach(each -> Frames.read(each, new Frames.Cases() {
            @Override
            public void raft(String directory, RaftMessage message) {}

            @Override
            public void request(long number, Frames.Request request, byte[] body) {}

            @Override
            public void answer(long number, Frames.Answer answer, byte[] body) {
                kinds.add(answer);
            }
        }));
        assertThat(kinds).hasSize(1);
        return kinds.get(0);
    }

    private static RaftMessage entries(List<LogEntry> entries) {
        return MODEL.createAppendEntriesRequestBuilder()
                .setGroupId("group")
                .setSender(LEADER)
                .setTerm(1)
                .setPreviousLogIndex(0)
                .setPreviousLogTerm(0)
                .setLogEntries(entries)
                .setCommitIndex(0)
                .setQuerySequenceNumber(0)
                .setFlowControlSequenceNumber(1)
                .build();
    }

    private static LogEntry entry() {
        return MODEL.createLogEntryBuilder()
                .setIndex(1)
                .setTerm(1)
                .setOperation(LeaseBytes.ofWrites(List.of()))
                .build();
    }

    /** Runs tasks one after the other when the test calls {@link #runAll}. Timers never fire. */
    private static final class QueuedTime implements RaftTime {
        private final Deque<Runnable> tasks = new ArrayDeque<>();

        void runAll() {
            while (!tasks.isEmpty()) {
                tasks.remove().run();
            }
        }

        @Override
        public void execute(Runnable task) {
            tasks.add(task);
        }

        @Override
        public void submit(Runnable task) {
            tasks.add(task);
        }

        @Override
        public void schedule(Runnable task, long delay, TimeUnit unit) {}

        @Override
        public Timer after(Duration delay, Runnable task) {
            return () -> {};
        }

        @Override
        public long nanos() {
            return 1_000_000_000;
        }
    }
}
