package dev.doyen.stores.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.event.SavedState;
import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.UnreadableRecordException;
import dev.doyen.store.VersionedLease;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests a store in a faulty directory, and two processes in one directory. The testkit tests the general contract of
 * a store.
 */
class FileLeaseStoreFaultsTest {

    @TempDir
    Path directory;

    @Test
    void an_unparsable_record_is_a_fault_and_not_an_absent_lease() throws IOException {
        try (var store = FileLeaseStore.open(directory)) {
            store.compareAndSet("orders", LeaseVersion.ABSENT, record(7));
            Path file = directory.resolve("orders.lease");
            String good = Files.readString(file);
            for (String bad : List.of(
                    "",
                    "revision: 1\n",
                    "rubbish",
                    good.replace("revision: 1", "revision: x"),
                    good.replace("doyen-lease 1", "doyen-lease 99"),
                    good.replace("term: 7", "term: -7"),
                    good.replace("term: 7", "tern: 7"),
                    good.replace("election: orders", "election: bills"),
                    good.replace("ttl-millis: 10000", "ttl-millis: 0"),
                    good.replace("acquired-at: ", "acquired-at: yesterday "),
                    good.replace("state: ", "state: !!"),
                    good.substring(0, good.length() - 5),
                    good + "x".repeat(300_000))) {
                Files.writeString(file, bad);
                assertThatThrownBy(() -> store.read("orders"))
                        .as(bad)
                        .isInstanceOf(StoreUnavailableException.class)
                        .hasMessageContaining("orders.lease is not a lease record: ")
                        .hasMessageContaining("move it away only if its term may be forgotten");
                assertThat(store.compareAndSet("orders", LeaseVersion.ABSENT, record(1)))
                        .as("the record is not overwritten: %s", bad)
                        .isInstanceOf(CasOutcome.Unknown.class);
                assertThat(Files.readString(file)).isEqualTo(bad);
            }
        }
    }

    @Test
    void a_directory_that_cannot_be_created_is_rejected_with_its_path_and_a_remedy() throws IOException {
        Path file = Files.writeString(directory.resolve("file"), "in the way");
        assertThatThrownBy(() -> FileLeaseStore.open(file.resolve("below")))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining(file + "/below cannot be written")
                .hasMessageContaining("name a directory that this user may create and write");
    }

    @Test
    void a_store_that_cannot_be_opened_gives_up_its_use_of_the_lock() throws IOException {
        Path real = directory.toRealPath();
        Path inTheWay = Files.createDirectory(directory.resolve(".orders.lease.4711"));
        Path file = Files.writeString(inTheWay.resolve("file"), "a directory with a file cannot be deleted");
        assertThatThrownBy(() -> FileLeaseStore.open(directory)).isInstanceOf(StoreUnavailableException.class);

        DirectoryLock afterwards = DirectoryLock.of(real);
        afterwards.close();
        try (DirectoryLock later = DirectoryLock.of(real)) {
            assertThat(later).as("the failed opening still uses the lock").isNotSameAs(afterwards);
        }
        Files.delete(file);
        FileLeaseStore.open(directory).close();
    }

    @Test
    void a_record_that_is_not_utf_8_or_is_a_directory_is_unreadable() throws IOException {
        try (var store = FileLeaseStore.open(directory)) {
            store.compareAndSet("bills", LeaseVersion.ABSENT, record("bills", 1));
            Files.write(directory.resolve("bytes.lease"), new byte[] {(byte) 0xff, (byte) 0xfe});
            Files.createDirectory(directory.resolve("folder.lease"));
            for (String bad : List.of("bytes", "folder")) {
                assertThatThrownBy(() -> store.read(bad))
                        .isInstanceOf(UnreadableRecordException.class)
                        .hasMessageContaining(bad + ".lease is not a lease record: ");
            }
            assertThat(store.readAll(List.of("bytes", "bills", "folder"))).containsOnlyKeys("bills");
        }
    }

    @Test
    void an_unreadable_floor_is_a_fault_of_all_reads() throws IOException {
        try (var store = FileLeaseStore.open(directory)) {
            Files.write(directory.resolve("floor"), new byte[] {(byte) 0xff, (byte) 0xfe});
            assertThatThrownBy(() -> store.readAll(List.of("orders")))
                    .isInstanceOf(StoreUnavailableException.class)
                    .hasMessageContaining("floor");
        }
    }

    @Test
    void a_deleted_directory_is_a_fault_of_the_write_and_not_a_conflict() throws IOException {
        Path gone = directory.resolve("gone");
        try (var store = FileLeaseStore.open(gone)) {
            try (Stream<Path> files = Files.list(gone)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
            Files.delete(gone);
            assertThat(store.compareAndSet("orders", LeaseVersion.ABSENT, record(1)))
                    .isInstanceOf(CasOutcome.Unknown.class);
        }
    }

    @Test
    void a_crash_before_the_rename_leaves_the_old_record_and_no_temporary_file() throws IOException {
        Path half = directory.resolve(".orders.lease.4711.1");
        try (var store = FileLeaseStore.open(directory)) {
            store.compareAndSet("orders", LeaseVersion.ABSENT, record(7));
            Files.writeString(half, "half a rec");
            assertThat(store.read("orders").record().orElseThrow().term()).isEqualTo(7);
        }
        try (var store = FileLeaseStore.open(directory)) {
            assertThat(half).doesNotExist();
            assertThat(store.read("orders").record().orElseThrow().term()).isEqualTo(7);
        }
    }

    @Test
    void two_concurrent_processes_lose_no_update() throws Exception {
        int each = 150;
        List<Process> processes = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            processes.add(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            Counting.class.getName(),
                            directory.toString(),
                            Integer.toString(each))
                    .inheritIO()
                    .start());
        }
        for (Process process : processes) {
            assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isZero();
        }
        try (var store = FileLeaseStore.open(directory)) {
            VersionedLease last = store.read("orders");
            assertThat(last.record().orElseThrow().term()).isEqualTo(2L * each);
            assertThat(last.version()).isEqualTo(LeaseVersion.of(2L * each));
        }
    }

    /**
     * A process that raises the term a number of times while other processes do the same.
     *
     * <p>The process also reads before each write. A process loses its POSIX lock on a file when it closes any channel
     * to the file. So if a store locked its lease file, a read would end the lock, and the store would lose updates.
     */
    static final class Counting {
        public static void main(String[] args) {
            try (var store = FileLeaseStore.open(Path.of(args[0]))) {
                int left = Integer.parseInt(args[1]);
                while (left > 0) {
                    VersionedLease seen = store.read("orders");
                    long term = seen.record().map(LeaseRecord::term).orElse(0L) + 1;
                    if (store.compareAndSet("orders", seen.version(), record(term)) instanceof CasOutcome.Written) {
                        left--;
                    }
                }
            }
        }
    }

    static LeaseRecord record(long term) {
        return record("orders", term);
    }

    private static LeaseRecord record(String election, long term) {
        return new LeaseRecord(
                election,
                "n1",
                "n1-1",
                term,
                "n",
                Duration.ofSeconds(10),
                Instant.EPOCH,
                Instant.EPOCH,
                SavedState.EMPTY,
                0);
    }
}
