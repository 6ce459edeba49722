package dev.doyen.stores.quorum;

import static dev.doyen.stores.quorum.RaftBytes.MODEL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.microraft.model.log.LogEntry;
import io.microraft.model.log.SnapshotChunk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests how a journal handles write errors, and how it rewrites its file. {@link PowerLossTest} tests the content of a
 * journal.
 */
class RaftJournalTest {

    private static final QuorumEndpoint SELF = new QuorumEndpoint("a", "a:7800", "d");

    private final FailingFile file = new FailingFile();
    private final RaftJournal journal = new RaftJournal(file);

    @Test
    void the_id_of_the_directory_stays_the_first_record() throws IOException {
        var kept = MemoryFile.of(RaftJournal.recordsOfNew("id of a directory"));
        var identified = new RaftJournal(kept);
        identified.join("group", List.of(SELF));
        identified.truncateLogEntriesUntil(0);

        assertThat(kept.records()).hasSizeGreaterThan(1);
        assertThat(new RaftJournal(MemoryFile.of(kept.records().subList(0, 1))).directory())
                .contains("id of a directory");
    }

    @Test
    void a_journal_in_no_directory_has_no_id() {
        assertThat(journal.directory()).isEmpty();
    }

    @Test
    void after_a_failed_write_the_file_is_not_used_again() throws IOException {
        for (Call call : calls()) {
            var failing = new FailingFile();
            var failed = new RaftJournal(failing);
            failing.fault = new IOException("No space left on device");

            assertThatThrownBy(() -> call.on(failed)).isSameAs(failing.fault);
            failing.fault = null;
            int before = failing.calls;
            for (Call next : calls()) {
                assertThatThrownBy(() -> next.on(failed))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("No space left on device");
            }
            assertThat(failing.calls).isEqualTo(before);
        }
    }

    @Test
    void a_fault_is_reported_with_its_reason_and_the_remedy() {
        assertThat(journal.failure()).isNotDone();
        file.fault = new IOException("No space left on device");

        assertThatThrownBy(journal::flush).isSameAs(file.fault);

        assertThat(journal.failure())
                .isCompletedWithValueMatching(reason -> reason.contains("its journal cannot be written")
                        && reason.contains("No space left on device")
                        && reason.contains("Free space or check the disk, then start the process again"));
    }

    @Test
    void an_unexpected_error_is_a_fault_too() {
        file.error = new OutOfMemoryError("Java heap space");

        assertThatThrownBy(() -> term(journal, 1)).isSameAs(file.error);

        assertThat(journal.failure()).isCompletedWithValueMatching(reason -> reason.contains("Java heap space"));
        file.error = null;
        assertThatThrownBy(journal::flush).isInstanceOf(IOException.class);
    }

    @Test
    void a_failed_write_is_not_part_of_the_state() {
        file.fault = new IOException("No space left on device");

        assertThatThrownBy(() -> journal.join("group", List.of(SELF))).isSameAs(file.fault);

        assertThat(journal.group()).isEmpty();
        assertThat(journal.founders()).isEmpty();
    }

    @Test
    void a_closed_journal_is_not_written_and_has_no_fault() throws IOException {
        journal.close();

        assertThatThrownBy(() -> term(journal, 1))
                .isInstanceOf(IOException.class)
                .hasMessage("the journal is closed");

        assertThat(file.calls).isZero();
        assertThat(journal.failure()).isNotDone();
    }

    @Test
    void an_unknown_record_is_malformed() {
        assertThatThrownBy(() -> new RaftJournal(MemoryFile.of(List.of(new byte[] {99}))))
                .isInstanceOf(MalformedBytesException.class)
                .hasMessageContaining("99");
    }

    /**
     * For members that lag behind, MicroRaft keeps in memory some entries from before the snapshot. MicroRaft does
     * not restore these entries after a restart, so the journal drops them.
     */
    @Test
    void entries_in_front_of_the_snapshot_are_not_written_again() throws IOException {
        var kept = new MemoryFile();
        var cut = new RaftJournal(kept);
        for (long index = 1; index <= 10; index++) {
            cut.persistLogEntries(List.of(entry(index, new byte[1_000])));
        }
        cut.persistSnapshotChunk(part(8, 0, 1));
        cut.flush();
        cut.truncateLogEntriesUntil(3);

        assertThat(kept.length()).isBetween(2_000L, 3_000L);
        assertThat(cut.lastIndex()).isEqualTo(10);
        assertThat(cut.snapshotIndex()).isEqualTo(8);
        // The entries after the snapshot remain until the next snapshot.
        assertThat(cut.grown()).isBetween(2_000L, 2_200L);
        assertThat(cut.lengthOfRest() + cut.grown()).isEqualTo(kept.length());
        var reopened = new RaftJournal(MemoryFile.of(kept.records()));
        assertThat(reopened.grown()).isBetween(2_000L, 2_200L);
    }

    @Test
    void a_snapshot_is_written_with_a_new_file_and_the_old_file_never_has_it() throws IOException {
        var kept = new MemoryFile();
        var journal = new RaftJournal(kept);
        journal.persistLogEntries(List.of(entry(1, new byte[1_000])));
        journal.flush();
        long before = kept.length();
        journal.persistSnapshotChunk(part(1, 0, 2));
        journal.flush();
        journal.persistSnapshotChunk(part(1, 1, 2));
        assertThat(kept.length()).isEqualTo(before);

        journal.flush();
        assertThat(kept.length()).isLessThan(1_000);
        assertThat(new RaftJournal(MemoryFile.of(kept.records())).snapshotIndex())
                .isEqualTo(1);
        int files = kept.replacements();
        journal.truncateLogEntriesUntil(1);
        assertThat(kept.replacements()).as("the file is written once").isEqualTo(files);
    }

    @Test
    void a_process_remembers_that_it_was_a_member() throws IOException {
        var kept = new MemoryFile();
        var journal = new RaftJournal(kept);
        var founder = new QuorumEndpoint("b", "b:7800", "e");
        journal.join("group", List.of(founder));
        assertThat(journal.wasMember(SELF)).isFalse();
        assertThat(journal.wasMember(founder)).isTrue();

        journal.becameMember();
        journal.truncateLogEntriesUntil(0);
        assertThat(new RaftJournal(MemoryFile.of(kept.records())).wasMember(SELF))
                .isTrue();
    }

    private static SnapshotChunk part(long index, int number, int count) {
        return MODEL.createSnapshotChunkBuilder()
                .setIndex(index)
                .setTerm(1)
                .setSnapshotChunkIndex(number)
                .setSnapshotChunkCount(count)
                .setGroupMembersView(MODEL.createRaftGroupMembersViewBuilder()
                        .setLogIndex(0)
                        .setMembers(List.of(SELF))
                        .setVotingMembers(List.of(SELF))
                        .build())
                .setOperation(new byte[10])
                .build();
    }

    private interface Call {
        void on(RaftJournal journal) throws IOException;
    }

    private static List<Call> calls() {
        List<Call> calls = new ArrayList<>();
        calls.add(each -> term(each, 1));
        calls.add(each -> each.join("group", List.of(SELF)));
        calls.add(each -> each.persistLogEntries(List.of(entry(1, new byte[0]))));
        calls.add(each -> each.truncateLogEntriesFrom(1));
        calls.add(each -> each.truncateLogEntriesUntil(1));
        calls.add(RaftJournal::flush);
        return calls;
    }

    private static void term(RaftJournal journal, int term) throws IOException {
        journal.persistAndFlushTerm(
                MODEL.createRaftTermPersistentStateBuilder().setTerm(term).build());
    }

    private static LogEntry entry(long index, byte[] operation) {
        return MODEL.createLogEntryBuilder()
                .setIndex(index)
                .setTerm(1)
                .setOperation(operation)
                .build();
    }

    private static final class FailingFile implements JournalFile {
        IOException fault;
        Error error;
        int calls;

        @Override
        public List<byte[]> records() {
            return List.of();
        }

        @Override
        public void append(byte[] record) throws IOException {
            call();
        }

        @Override
        public void force() throws IOException {
            call();
        }

        @Override
        public void replace(List<byte[]> records) throws IOException {
            call();
        }

        @Override
        public long length() {
            return 0;
        }

        @Override
        public void close() {}

        private void call() throws IOException {
            calls++;
            if (error != null) {
                throw error;
            }
            if (fault != null) {
                throw fault;
            }
        }
    }
}
