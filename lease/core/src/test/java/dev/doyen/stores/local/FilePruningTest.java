package dev.doyen.stores.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseRecordText;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests the deletion of records in a directory: crashes, faults, and other processes. */
@Timeout(300)
class FilePruningTest {

    private static final Instant LATER = Instant.EPOCH.plusSeconds(1);

    @TempDir
    Path directory;

    private final List<String> steps = new ArrayList<>();

    @BeforeEach
    void resolve() throws IOException {
        directory = directory.toRealPath();
    }

    @Test
    void the_floor_is_durable_before_the_first_deletion() throws IOException {
        write("bills", 9);
        write("orders", 7);
        prune(new RecordedFolder());

        assertThat(steps.subList(0, 2)).containsExactly("create .floor-", "replace floor");
        assertThat(steps.subList(2, 8))
                .containsSubsequence("touch ~orders.lease", "delete orders.lease", "delete ~orders.lease")
                .containsSubsequence("touch ~bills.lease", "delete bills.lease", "delete ~bills.lease");
        assertThat(files()).containsExactly(".lock", "floor");
        assertThat(Files.readString(directory.resolve("floor"))).isEqualTo("doyen-floor 1\nterm: 9\nrevision: 1\n");
    }

    @Test
    void a_crash_after_the_floor_keeps_the_record_and_its_term() throws IOException {
        write("orders", 7);
        var crashing = new RecordedFolder() {
            @Override
            void delete(String name) throws IOException {
                if (name.equals("orders.lease")) {
                    throw new IOException("crash");
                }
                if (!name.equals("~orders.lease")) {
                    super.delete(name);
                }
            }
        };
        assertThatThrownBy(() -> prune(crashing)).hasMessage("crash");
        assertThat(files()).contains("orders.lease", "~orders.lease");

        try (var store = FileLeaseStore.open(directory)) {
            assertThat(files()).as("the opening of the store deletes the mark").doesNotContain("~orders.lease");
            assertThat(store.read("orders").record().orElseThrow().term()).isEqualTo(7);
            assertThat(store.read("other")).isEqualTo(VersionedLease.absentAfter(7));
            assertThat(store.prune(LATER, LATER)).isEqualTo(1);
            assertThat(store.read("orders")).isEqualTo(VersionedLease.absentAfter(7));
        }
    }

    @Test
    void a_writer_with_the_lock_removes_the_mark_of_a_crashed_process() throws IOException {
        try (var store = FileLeaseStore.open(directory)) {
            Files.writeString(directory.resolve("~orders.lease"), "");
            assertThat(new LeaseFile("orders", new LeaseFolder(directory))
                            .compareAndSet(LeaseVersion.ABSENT, unheld("orders", 1), false))
                    .as("without the lock, the deletion can still be in progress")
                    .isInstanceOf(CasOutcome.Unknown.class);
            assertThat(store.compareAndSet("orders", LeaseVersion.ABSENT, unheld("orders", 1)))
                    .isInstanceOf(CasOutcome.Written.class);
            assertThat(files()).containsExactly(".lock", "orders.lease");
        }
    }

    @Test
    void a_write_during_a_deletion_is_not_deleted() throws IOException {
        write("orders", 7);
        var writer = new LeaseFile("orders", new LeaseFolder(directory));
        List<CasOutcome> outcomes = new ArrayList<>();
        prune(new RecordedFolder() {
            @Override
            void touch(String name) throws IOException {
                outcomes.add(writer.compareAndSet(LeaseVersion.of(1), unheld("orders", 8), false));
                super.touch(name);
            }

            @Override
            void delete(String name) throws IOException {
                if (name.equals("orders.lease")) {
                    throw new IllegalStateException("the record has another version");
                }
                super.delete(name);
            }
        });
        assertThat(outcomes).containsExactly(new CasOutcome.Written(LeaseVersion.of(2)));
        assertThat(writer.read().record().orElseThrow().term()).isEqualTo(8);
    }

    @Test
    void without_the_lock_nothing_is_deleted() throws Exception {
        write("orders", 7);
        try (var store = FileLeaseStore.open(directory);
                var lock = DirectoryLock.of(directory)) {
            int deleted = lock.locked(locked -> {
                var other = new int[] {-1};
                var thread = new Thread(() -> other[0] = store.prune(LATER, LATER));
                thread.start();
                join(thread);
                return other[0];
            });
            assertThat(deleted).isZero();
            assertThat(files()).contains("orders.lease").doesNotContain("floor");
        }
    }

    @Test
    void a_step_that_does_not_get_the_lock_deletes_nothing() throws IOException {
        write("orders", 7);
        write("bills", 3);
        assertThat(pruneWithoutTheLockIn(1))
                .as("nothing is deleted without a floor")
                .isZero();
        assertThat(files()).containsExactly(".lock", "bills.lease", "orders.lease");
        assertThat(pruneWithoutTheLockIn(2)).as("only one record is deleted").isEqualTo(1);
        assertThat(files()).hasSize(3).contains("floor");
        assertThat(pruneWithoutTheLockIn(0)).isEqualTo(1);
    }

    @Test
    void a_store_that_is_closed_during_a_deletion_keeps_the_lock_to_its_end() throws IOException {
        var lock = DirectoryLock.of(directory);
        lock.locked(locked -> {
            lock.close();
            try (var channel = FileChannel.open(directory.resolve(".lock"), StandardOpenOption.WRITE)) {
                assertThatThrownBy(channel::tryLock).isInstanceOf(OverlappingFileLockException.class);
            }
            return locked;
        });
    }

    @Test
    void an_unparsable_floor_is_a_fault_and_not_zero() throws IOException {
        write("orders", 7);
        write("bills", 3);
        try (var store = FileLeaseStore.open(directory)) {
            store.compareAndSet("orders", LeaseVersion.of(1), held("orders", 7));
            store.prune(LATER, LATER);
            Path floor = directory.resolve("floor");
            String good = Files.readString(floor);
            for (String bad : List.of(
                    "",
                    "rubbish",
                    good.replace("doyen-floor 1", "doyen-floor 2"),
                    good.replace("term: 3", "term: -3"),
                    good.replace("term: 3", "term: 99999999999999999999"),
                    good.replace("revision: 1\n", ""),
                    good.substring(0, good.length() - 1),
                    good + "x".repeat(300_000))) {
                Files.writeString(floor, bad);
                assertThatThrownBy(() -> store.read("bills"))
                        .as(bad)
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining(floor + " ");
                assertThat(store.compareAndSet("bills", LeaseVersion.ABSENT, held("bills", 1)))
                        .as(bad)
                        .isInstanceOf(CasOutcome.Unknown.class);
                assertThat(store.read("orders").record().orElseThrow().term()).isEqualTo(7);
                writeFile("old", 1);
                assertThatThrownBy(() -> store.prune(LATER, LATER)).isInstanceOf(StoreUnavailableException.class);
                assertThat(Files.readString(floor)).isEqualTo(bad);
            }
        }
    }

    @Test
    void an_unparsable_record_is_not_deleted_and_does_not_stop_the_deletion_of_others() throws IOException {
        write("orders", 7);
        Path bad = Files.writeString(directory.resolve("bad.lease"), "rubbish");
        try (var store = FileLeaseStore.open(directory)) {
            assertThat(store.prune(LATER, LATER)).isEqualTo(1);
        }
        assertThat(files()).containsExactly(".lock", "bad.lease", "floor");
        assertThat(Files.readString(bad)).isEqualTo("rubbish");
    }

    @Test
    void an_unreadable_file_does_not_stop_the_deletion_of_others() throws IOException {
        write("orders", 7);
        Files.write(directory.resolve("bytes.lease"), new byte[] {(byte) 0xff, (byte) 0xfe});
        Files.createDirectory(directory.resolve("folder.lease"));
        Files.writeString(directory.resolve("failing.lease"), "any");
        prune(new RecordedFolder() {
            @Override
            Optional<String> text(String name) throws IOException {
                if (name.equals("failing.lease")) {
                    throw new IOException("input/output error");
                }
                return super.text(name);
            }
        });
        assertThat(files()).containsExactly(".lock", "bytes.lease", "failing.lease", "floor", "folder.lease");
    }

    @Test
    void more_records_than_one_batch_are_deleted() throws IOException {
        for (int i = 1; i <= 2_001; i++) {
            writeFile("room-" + i, i);
        }
        try (var store = FileLeaseStore.open(directory)) {
            assertThat(store.prune(LATER, LATER)).isEqualTo(2_001);
            assertThat(store.read("room-1")).isEqualTo(VersionedLease.absentAfter(2_001));
        }
        assertThat(files()).containsExactly(".lock", "floor");
    }

    @Test
    void two_processes_that_delete_records_use_no_term_twice() throws Exception {
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            processes.add(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Leading.class.getName(),
                            directory.toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start());
        }
        List<String> terms = new ArrayList<>();
        for (Process process : processes) {
            process.inputReader().lines().forEach(terms::add);
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        }
        assertThat(terms).hasSize(2 * Leading.TERMS).doesNotHaveDuplicates();
        assertThat(files()).contains("floor");
    }

    /**
     * A process that leads {@value #TERMS} times. It releases the lease after each term, and prunes the directory after
     * each attempt to lead.
     */
    static final class Leading {
        static final int TERMS = 150;

        public static void main(String[] args) {
            try (var store = FileLeaseStore.open(Path.of(args[0]))) {
                int left = TERMS;
                while (left > 0) {
                    VersionedLease seen = store.read("orders");
                    long term = seen.highestTerm() + 1;
                    if (store.compareAndSet("orders", seen.version(), held("orders", term))
                            instanceof CasOutcome.Written written) {
                        System.out.println(term);
                        left--;
                        store.compareAndSet("orders", written.version(), unheld("orders", term));
                    }
                    store.prune(LATER, LATER);
                }
            }
        }
    }

    private int prune(LeaseFolder folder) throws IOException {
        try (var lock = DirectoryLock.of(directory)) {
            return new FilePruning(directory, folder, lock).prune(LATER, LATER);
        }
    }

    /**
     * Prunes the directory, and fails one attempt to take the lock.
     *
     * <p>The attempts are numbered from 1, and attempt {@code step} fails. If {@code step} is 0, no attempt fails.
     */
    private int pruneWithoutTheLockIn(int step) throws IOException {
        var count = new AtomicInteger();
        try (var channel = FileChannel.open(directory.resolve(".lock"), StandardOpenOption.WRITE)) {
            var lock = new DirectoryLock(directory, channel) {
                @Override
                <T> T locked(IoAction<T> action) throws IOException {
                    return action.run(count.incrementAndGet() != step);
                }
            };
            return new FilePruning(directory, new LeaseFolder(directory), lock).prune(LATER, LATER);
        }
    }

    private void write(String election, long term) throws IOException {
        try (var store = FileLeaseStore.open(directory)) {
            assertThat(store.compareAndSet(election, store.read(election).version(), unheld(election, term)))
                    .isInstanceOf(CasOutcome.Written.class);
        }
    }

    private void writeFile(String election, long term) throws IOException {
        Files.writeString(
                directory.resolve(election + ".lease"),
                "revision: 1\n" + LeaseRecordText.write(unheld(election, term)));
    }

    private static LeaseRecord unheld(String election, long term) {
        return LeaseRecord.unheld(election, term, "nonce", Duration.ofSeconds(10), Instant.EPOCH);
    }

    private static LeaseRecord held(String election, long term) {
        return new LeaseRecord(
                election,
                "n1",
                "n1-1",
                term,
                "nonce",
                Duration.ofSeconds(10),
                Instant.EPOCH,
                Instant.EPOCH,
                SavedState.EMPTY,
                0);
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private List<String> files() throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    /** Records the operations of a deletion, without the random parts of names. */
    private class RecordedFolder extends LeaseFolder {
        RecordedFolder() {
            super(directory);
        }

        @Override
        void create(String name, String text) throws IOException {
            steps.add("create " + name.substring(0, name.indexOf('-') + 1));
            super.create(name, text);
        }

        @Override
        boolean replace(String name, String replaced) throws IOException {
            steps.add("replace " + replaced);
            return super.replace(name, replaced);
        }

        @Override
        void touch(String name) throws IOException {
            steps.add("touch " + name);
            super.touch(name);
        }

        @Override
        void delete(String name) throws IOException {
            steps.add("delete " + name);
            super.delete(name);
        }
    }
}
