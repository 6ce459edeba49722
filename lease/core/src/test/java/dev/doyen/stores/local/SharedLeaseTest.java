package dev.doyen.stores.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseVersion;
import dev.doyen.store.StoreUnavailableException;
import dev.doyen.store.VersionedLease;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Tests the numbered statements in the Javadoc of {@link SharedLease}.
 *
 * <p>The tests run single cases, random orders of the steps of several writers, and real processes.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(300)
class SharedLeaseTest {

    private static final int SEEDS = 150;

    @TempDir
    Path directory;

    @Test
    void a_writer_suspended_until_its_revision_was_pruned_conflicts() throws IOException {
        for (int behind : List.of(1, 2, 3, 6, 10, 15, 17, 40)) {
            Path folder = directory.resolve("before-" + behind);
            SharedLease others = lease(folder);
            LeaseVersion base = writeOver(others, LeaseVersion.ABSENT, 3);
            SharedLease slow = new SharedLease("orders", new LeaseFolder(folder) {
                @Override
                boolean link(String name, String second) throws IOException {
                    writeOver(others, base, behind);
                    return super.link(name, second);
                }
            });
            CasOutcome outcome = slow.compareAndSet(base, record(99));
            VersionedLease head = others.read();
            assertThat(head.record().orElseThrow().term())
                    .as("%s revisions behind", behind)
                    .isEqualTo(behind);
            // The head contains only the marks of the last 16 revisions. If the revision that a slow writer links is
            // older, no process can find out whether the link was valid. So the outcome must be unknown.
            if (behind <= 15) {
                assertThat(outcome).as("%s revisions behind", behind).isEqualTo(new CasOutcome.Conflict(head));
            } else {
                assertThat(outcome).as("%s revisions behind", behind).isInstanceOf(CasOutcome.Unknown.class);
            }
            assertThat(texts(folder)).noneMatch(text -> text.contains("term: 99\n"));
        }
    }

    @Test
    void a_creator_suspended_until_the_first_revision_was_pruned_conflicts() throws IOException {
        SharedLease others = lease(directory);
        SharedLease slow = new SharedLease("orders", new LeaseFolder(directory) {
            @Override
            boolean link(String name, String second) throws IOException {
                if (!Files.exists(directory.resolve("first"))) {
                    writeOver(others, LeaseVersion.ABSENT, 30);
                }
                return super.link(name, second);
            }
        });
        assertThat(slow.compareAndSet(LeaseVersion.ABSENT, record(99)))
                .isEqualTo(new CasOutcome.Conflict(others.read()));
        assertThat(directory.resolve("1")).doesNotExist();
    }

    @Test
    void an_interrupted_pruning_lets_no_slow_writer_succeed() throws IOException {
        for (int base = 1; base <= 6; base++) {
            for (int deletions = 0; deletions <= 5; deletions++) {
                Path folder = directory.resolve("stops-" + base + "-" + deletions);
                LeaseVersion expected = writeOver(lease(folder), LeaseVersion.ABSENT, base);
                int[] left = {deletions};
                SharedLease stopping = new SharedLease("orders", new LeaseFolder(folder) {
                    @Override
                    void delete(String name) throws IOException {
                        if (name.matches("[0-9]+") && left[0]-- <= 0) {
                            throw new IOException("stops on purpose");
                        }
                        super.delete(name);
                    }
                });
                SharedLease slow = new SharedLease("orders", new LeaseFolder(folder) {
                    @Override
                    boolean link(String name, String second) throws IOException {
                        writeOver(stopping, expected, 9);
                        return super.link(name, second);
                    }
                });
                assertThat(slow.compareAndSet(expected, record(99)))
                        .as("a write over %s after the pruning stopped at %s", base, deletions)
                        .isEqualTo(new CasOutcome.Conflict(lease(folder).read()));
            }
        }
    }

    @Test
    void a_writer_suspended_after_its_link_succeeds_even_if_its_revision_was_pruned() throws IOException {
        SharedLease others = lease(directory);
        LeaseVersion base = writeOver(others, LeaseVersion.ABSENT, 3);
        SharedLease slow = new SharedLease("orders", new LeaseFolder(directory) {
            @Override
            boolean link(String name, String second) throws IOException {
                boolean linked = super.link(name, second);
                writeOver(others, others.read().version(), 9);
                return linked;
            }
        });
        assertThat(slow.compareAndSet(base, record(4))).isInstanceOf(CasOutcome.Written.class);
    }

    @Test
    void a_link_that_was_reported_as_failed_but_exists_is_a_success() throws IOException {
        SharedLease retransmitting = new SharedLease("orders", new LeaseFolder(directory) {
            @Override
            boolean link(String name, String second) throws IOException {
                super.link(name, second);
                return super.link(name, second);
            }
        });
        CasOutcome outcome = retransmitting.compareAndSet(LeaseVersion.ABSENT, record(1));
        assertThat(outcome)
                .isEqualTo(new CasOutcome.Written(lease(directory).read().version()));
    }

    @Test
    void the_folder_does_not_grow_and_files_of_slow_writers_are_pruned() throws IOException {
        SharedLease lease = lease(directory);
        LeaseVersion version = writeOver(lease, LeaseVersion.ABSENT, 50);
        Files.copy(directory.resolve("50"), directory.resolve("7"));
        writeOver(lease, version, 50);
        try (Stream<Path> files = Files.list(directory)) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .containsExactlyInAnyOrder("first", "97", "98", "99", "100");
        }
    }

    @Test
    void a_folder_without_its_revisions_is_a_fault_and_not_an_absent_lease() throws IOException {
        SharedLease lease = lease(directory);
        writeOver(lease, LeaseVersion.ABSENT, 8);
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.filter(f -> !f.endsWith("first")).toList()) {
                Files.delete(file);
            }
        }
        assertThatThrownBy(lease::read)
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("files were deleted there");
    }

    @Test
    void each_version_is_overwritten_once_in_all_interleavings() throws InterruptedException {
        int late = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            late += Race.run(seed, folder -> {
                var lease = new SharedLease("orders", folder);
                return new Race.Register(lease::read, lease::compareAndSet);
            });
        }
        assertThat(late).as("late writes that were detected").isGreaterThan(10);
    }

    @Test
    void eight_concurrent_processes_lose_no_update() throws Exception {
        int each = 60;
        List<Process> processes = new ArrayList<>();
        Path output = Files.createTempFile("counting", ".txt");
        for (int i = 0; i < 8; i++) {
            processes.add(new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx64m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Counting.class.getName(),
                            directory.toString(),
                            Integer.toString(each))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
                    .start());
        }
        long unknown;
        try {
            for (Process process : processes) {
                assertThat(process.waitFor(240, TimeUnit.SECONDS)).isTrue();
                assertThat(process.exitValue()).as(Files.readString(output)).isZero();
            }
            unknown = Files.readString(output).lines().filter("unknown"::equals).count();
        } finally {
            processes.forEach(Process::destroyForcibly);
            Files.delete(output);
        }
        try (var store = SharedFolderLeaseStore.open(directory)) {
            assertThat(store.read("orders").record().orElseThrow().term()).isBetween(8L * each, 8L * each + unknown);
        }
    }

    @Test
    void a_folder_of_a_file_store_is_rejected() {
        FileLeaseStore.open(directory).close();
        assertThatThrownBy(() -> SharedFolderLeaseStore.open(directory))
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("holds leases of a file: store")
                .hasMessageContaining("name another folder");
    }

    @Test
    void a_link_never_replaces_an_existing_file() throws IOException {
        var folder = new LeaseFolder(directory);
        folder.create("a", "a");
        folder.create("b", "b");
        assertThat(folder.link("a", "b")).isFalse();
        assertThat(folder.text("b")).contains("b");
        assertThatThrownBy(() -> folder.create("a", "c")).isInstanceOf(FileAlreadyExistsException.class);
    }

    /** A process that raises the term a number of times while other processes do the same. */
    static final class Counting {
        public static void main(String[] args) {
            try (var store = SharedFolderLeaseStore.open(Path.of(args[0]))) {
                int left = Integer.parseInt(args[1]);
                while (left > 0) {
                    VersionedLease seen;
                    try {
                        seen = store.read("orders");
                    } catch (StoreUnavailableException e) {
                        // Other processes changed the lease during all 50 attempts of the read. The store is allowed
                        // to report this error, so try again.
                        continue;
                    }
                    long term = seen.record().map(LeaseRecord::term).orElse(0L) + 1;
                    CasOutcome outcome = store.compareAndSet("orders", seen.version(), record(term));
                    if (outcome instanceof CasOutcome.Written) {
                        left--;
                    } else if (outcome instanceof CasOutcome.Unknown) {
                        System.out.println("unknown");
                    }
                }
            }
        }
    }

    private static SharedLease lease(Path folder) {
        return new SharedLease("orders", new LeaseFolder(folder));
    }

    /** Writes terms 1 to {@code times}, the first of them over the version {@code base}. Returns the last version. */
    private static LeaseVersion writeOver(SharedLease lease, LeaseVersion base, int times) throws IOException {
        LeaseVersion version = base;
        for (int i = 1; i <= times; i++) {
            CasOutcome outcome = lease.compareAndSet(version, record(i));
            assertThat(outcome).isInstanceOf(CasOutcome.Written.class);
            version = ((CasOutcome.Written) outcome).version();
        }
        return version;
    }

    private static List<String> texts(Path folder) throws IOException {
        List<String> texts = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.toList()) {
                texts.add(Files.readString(file));
            }
        }
        return texts;
    }

    private static LeaseRecord record(long term) {
        return Race.record(term, "n");
    }
}
