package dev.doyen.stores.quorum;

import static dev.doyen.stores.quorum.RaftBytes.MODEL;
import static org.assertj.core.api.Assertions.assertThat;

import io.microraft.RaftEndpoint;
import io.microraft.model.log.LogEntry;
import io.microraft.model.log.RaftGroupMembersView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests that a member keeps all confirmed state after a power loss at any moment. */
class PowerLossTest {

    private static final String NAME = RecordedFile.NAME;

    @Test
    void no_promise_is_lost_after_a_power_loss_at_any_byte() throws IOException {
        for (long seed = 1; seed <= 3; seed++) {
            var script = new Script(seed);
            script.play(80);
            assertThat(checked(script.life, RecordedDisk.Detail.EACH_BYTE)).isGreaterThan(5_000);
        }
    }

    @Test
    void a_reopened_journal_contains_the_state_of_its_member() throws IOException {
        var script = new Script(4);
        for (int i = 0; i < 300; i++) {
            script.play(1);
            assertThat(PersistentState.of(script.journal)).isEqualTo(script.life.last());
            assertThat(PersistentState.of(
                            CheckedFile.open(new RecordedDisk(script.life.disk().files()), NAME)
                                    .records()))
                    .isIn(script.life.possibleAfter(Integer.MAX_VALUE));
        }
    }

    @Test
    void a_power_loss_during_the_opening_loses_nothing() throws IOException {
        var script = new Script(5);
        script.play(40);
        var opened = new AtomicInteger();
        script.life.disk().losses(RecordedDisk.Detail.SOME, NAME, (count, files) -> {
            if (files.containsKey(NAME) && opened.incrementAndGet() % 7 == 0) {
                var disk = new RecordedDisk(files);
                PersistentState before = PersistentState.of(open(disk));
                disk.losses(
                        RecordedDisk.Detail.SOME,
                        NAME,
                        (during, left) -> assertThat(PersistentState.of(open(new RecordedDisk(left))))
                                .isEqualTo(before));
            }
        });
        assertThat(opened.get()).isGreaterThan(100);
    }

    @Test
    void no_member_of_the_simulation_loses_a_promise() throws IOException {
        List<MirroredFile> files = new ArrayList<>();
        for (long seed = 1; seed <= 6; seed++) {
            assertThat(new QuorumWorld(seed, file -> mirrored(file, files)).play())
                    .isEmpty();
        }
        int checked = 0;
        for (MirroredFile each : files) {
            checked += checkedRecords(each.life);
        }
        assertThat(files.stream().mapToInt(each -> each.replacements).sum()).isGreaterThan(10);
        assertThat(checked).isGreaterThan(5_000);
    }

    private static int checked(RecordedFile<PersistentState> life, RecordedDisk.Detail detail) {
        var losses = new AtomicInteger();
        life.disk().losses(detail, NAME, (count, files) -> {
            losses.incrementAndGet();
            if (files.containsKey(NAME)) {
                PersistentState found = PersistentState.of(open(new RecordedDisk(files)));
                assertThat(life.possibleAfter(count))
                        .as("after operation %d", count)
                        .contains(found);
            } else {
                assertThat(count)
                        .as("the file can be missing only during its creation")
                        .isLessThan(RecordedFiles.OPERATIONS_OF_A_NEW_FILE);
            }
        });
        return losses.get();
    }

    private static int checkedRecords(RecordedFile<List<byte[]>> life) {
        var losses = new AtomicInteger();
        life.disk().losses(RecordedDisk.Detail.SOME, NAME, (count, files) -> {
            losses.incrementAndGet();
            if (files.containsKey(NAME)) {
                List<byte[]> found = open(new RecordedDisk(files));
                assertThat(life.possibleAfter(count).stream().anyMatch(each -> isSame(each, found)))
                        .as("after operation %d", count)
                        .isTrue();
            } else {
                assertThat(count)
                        .as("the file can be missing only during its creation")
                        .isLessThan(RecordedFiles.OPERATIONS_OF_A_NEW_FILE);
            }
        });
        return losses.get();
    }

    private static boolean isSame(List<byte[]> one, List<byte[]> other) {
        return Arrays.deepEquals(one.toArray(), other.toArray());
    }

    private static List<byte[]> open(RecordedDisk disk) {
        try {
            return CheckedFile.open(disk, NAME).records();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static MirroredFile mirrored(MemoryFile file, List<MirroredFile> all) {
        try {
            var mirrored = new MirroredFile(file);
            all.add(mirrored);
            return mirrored;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The journal file of a simulated member. The class also writes all records to a recorded disk. */
    private static final class MirroredFile implements JournalFile {
        final RecordedFile<List<byte[]>> life;
        int replacements;
        private final MemoryFile file;

        MirroredFile(MemoryFile file) throws IOException {
            this.file = file;
            var disk = new RecordedDisk();
            life = new RecordedFile<>(disk, CheckedFile.create(disk, NAME, file.records()), file.records());
        }

        @Override
        public List<byte[]> records() {
            return file.records();
        }

        @Override
        public void append(byte[] record) throws IOException {
            List<byte[]> next = new ArrayList<>(life.last());
            next.add(record);
            life.next(next);
            file.append(record);
            life.append(record);
        }

        @Override
        public void force() throws IOException {
            file.force();
            life.force();
            life.confirm();
        }

        @Override
        public void replace(List<byte[]> records) throws IOException {
            replacements++;
            assertThat(PersistentState.of(records))
                    .satisfies(next -> isSameOrHasNewerSnapshot(next, PersistentState.of(life.last())));
            life.next(records);
            file.replace(records);
            life.replace(records);
            life.confirm();
        }

        /**
         * Asserts that {@code next} equals {@code before}, or has a newer snapshot and all entries after this snapshot.
         */
        private static void isSameOrHasNewerSnapshot(PersistentState next, PersistentState before) {
            assertThat(next.snapshotIndex()).isGreaterThanOrEqualTo(before.snapshotIndex());
            assertThat(next)
                    .isEqualTo(new PersistentState(
                            before.directory(),
                            before.group(),
                            before.term(),
                            before.vote(),
                            new TreeMap<>(before.entries().tailMap(next.snapshotIndex() + 1)),
                            next.snapshotIndex(),
                            next.snapshotIndex() == before.snapshotIndex() ? before.snapshot() : next.snapshot()));
        }

        @Override
        public long length() {
            return life.length();
        }

        @Override
        public void close() {}
    }

    private static final class RecordedFiles {
        /**
         * The number of operations that create a file: create, two writes, force, rename, and force of the directory.
         */
        static final int OPERATIONS_OF_A_NEW_FILE = 6;
    }

    /**
     * Runs MicroRaft's operations on a journal in random order, and records the expected state after each operation.
     */
    private static final class Script {
        final RecordedFile<PersistentState> life;
        final RaftJournal journal;
        private static final int OPEN_PARTS = 3;

        private final Random random;
        private final QuorumEndpoint self = new QuorumEndpoint("a", "a:7800", "d");
        private final QuorumEndpoint other = new QuorumEndpoint("b", "b:7800", "e");
        private final RaftGroupMembersView members = MODEL.createRaftGroupMembersViewBuilder()
                .setLogIndex(0)
                .setMembers(List.<RaftEndpoint>of(self, other))
                .setVotingMembers(List.<RaftEndpoint>of(self, other))
                .build();

        /** The indices of incomplete snapshots. Such a snapshot would be complete with {@value #OPEN_PARTS} parts. */
        private final NavigableSet<Long> open = new TreeSet<>(Set.of(0L));

        Script(long seed) throws IOException {
            random = new Random(seed);
            var disk = new RecordedDisk();
            List<byte[]> first = RaftJournal.recordsOfNew("d");
            life = new RecordedFile<>(disk, CheckedFile.create(disk, NAME, first), PersistentState.of(first));
            journal = new RaftJournal(life);
            PersistentState now = life.last();
            life.next(new PersistentState("d", "group", 0, "", now.entries(), 0, ""));
            journal.join("group", List.of(self, other));
            life.confirm();
            journal.persistAndFlushLocalEndpoint(MODEL.createRaftEndpointPersistentStateBuilder()
                    .setLocalEndpoint(self)
                    .setVoting(true)
                    .build());
            journal.persistAndFlushInitialGroupMembers(members);
        }

        void play(int steps) throws IOException {
            for (int i = 0; i < steps; i++) {
                switch (random.nextInt(10)) {
                    case 0 -> term(life.last().term() + 1, null);
                    case 1 -> term(life.last().term() + 1, random.nextBoolean() ? self : other);
                    case 2 -> flush();
                    case 3 -> cut();
                    case 4 -> partOfASnapshot();
                    case 5 -> snapshot(lastIndex() - random.nextInt(3));
                    case 6 -> snapshot(lastIndex() + random.nextInt(5));
                    default -> append();
                }
            }
        }

        private long lastIndex() {
            PersistentState now = life.last();
            return now.entries().isEmpty() ? now.snapshotIndex() : now.entries().lastKey();
        }

        private void term(int term, QuorumEndpoint vote) throws IOException {
            PersistentState now = life.last();
            String voted = vote == null ? "" : vote.getId().toString();
            life.next(new PersistentState(
                    now.directory(), now.group(), term, voted, now.entries(), now.snapshotIndex(), now.snapshot()));
            journal.persistAndFlushTerm(MODEL.createRaftTermPersistentStateBuilder()
                    .setTerm(term)
                    .setVotedFor(vote)
                    .build());
            life.confirm();
        }

        private void append() throws IOException {
            List<LogEntry> added = new ArrayList<>();
            for (int count = random.nextInt(3); count >= 0; count--) {
                LogEntry entry = MODEL.createLogEntryBuilder()
                        .setIndex(lastIndex() + 1)
                        .setTerm(life.last().term())
                        .setOperation(bytes())
                        .build();
                added.add(entry);
                Map<Long, String> entries = new TreeMap<>(life.last().entries());
                entries.put(entry.getIndex(), PersistentState.text(entry));
                entries(entries);
            }
            journal.persistLogEntries(added);
            if (random.nextInt(4) > 0) {
                flush();
            }
        }

        private void cut() throws IOException {
            PersistentState now = life.last();
            if (!now.entries().isEmpty()) {
                long index = Math.max(now.entries().firstKey(), lastIndex() - random.nextInt(3));
                entries(now.entries().headMap(index));
                journal.truncateLogEntriesFrom(index);
                if (random.nextBoolean()) {
                    flush();
                }
            }
        }

        private void entries(Map<Long, String> entries) {
            PersistentState now = life.last();
            life.next(new PersistentState(
                    now.directory(),
                    now.group(),
                    now.term(),
                    now.vote(),
                    new TreeMap<>(entries),
                    now.snapshotIndex(),
                    now.snapshot()));
        }

        private void flush() throws IOException {
            journal.flush();
            life.confirm();
        }

        /** Adds parts of a snapshot that never becomes complete. */
        private void partOfASnapshot() throws IOException {
            if (open.last() > life.last().snapshotIndex() && random.nextInt(3) == 0) {
                journal.deleteSnapshotChunks(open.last(), OPEN_PARTS);
            }
            long index = Math.max(open.last(), lastIndex()) + 1 + random.nextInt(3);
            open.add(index);
            for (int number = random.nextInt(OPEN_PARTS); number > 0; number--) {
                persist(index, number, OPEN_PARTS, bytes());
            }
        }

        private void snapshot(long index) throws IOException {
            PersistentState now = life.last();
            if (index <= now.snapshotIndex()) {
                return;
            }
            int count = 1 + random.nextInt(open.contains(index) ? OPEN_PARTS - 1 : OPEN_PARTS);
            StringBuilder snapshot = new StringBuilder();
            List<byte[]> parts = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                parts.add(bytes());
                snapshot.append(i == 0 ? "" : "|").append(PersistentState.text(parts.get(i)));
            }
            int first = random.nextInt(count);
            for (int i = 0; i < count - 1; i++) {
                int number = (first + i) % count;
                persist(index, number, count, parts.get(number));
            }
            life.next(new PersistentState(
                    now.directory(),
                    now.group(),
                    now.term(),
                    now.vote(),
                    new TreeMap<>(now.entries().tailMap(index + 1)),
                    index,
                    snapshot.toString()));
            int last = (first + count - 1) % count;
            persist(index, last, count, parts.get(last));
            flush();
            journal.truncateLogEntriesUntil(index - random.nextInt(3));
            life.confirm();
        }

        private void persist(long index, int number, int count, byte[] part) throws IOException {
            journal.persistSnapshotChunk(MODEL.createSnapshotChunkBuilder()
                    .setIndex(index)
                    .setTerm(life.last().term())
                    .setSnapshotChunkIndex(number)
                    .setSnapshotChunkCount(count)
                    .setGroupMembersView(members)
                    .setOperation(part)
                    .build());
        }

        private byte[] bytes() {
            var bytes = new byte[random.nextInt(20)];
            random.nextBytes(bytes);
            return bytes;
        }
    }
}
