package dev.doyen.stores.local;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.store.CasOutcome;
import dev.doyen.store.LeaseVersion;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Tests that writers to one file lose no update even if they do not lock it, and that a stopped lock holder blocks
 * nobody.
 */
@Execution(ExecutionMode.CONCURRENT)
@Timeout(300)
class LeaseFileTest {

    private static final int SEEDS = Integer.getInteger("file.seeds", 50);

    @TempDir
    Path directory;

    @Test
    void each_version_is_overwritten_once_in_all_interleavings() throws InterruptedException {
        int late = 0;
        for (long seed = 1; seed <= SEEDS; seed++) {
            late += Race.run(seed, folder -> {
                var file = new LeaseFile("orders", folder);
                return new Race.Register(file::read, (expected, next) -> file.compareAndSet(expected, next, false));
            });
        }
        assertThat(late).as("temporary files that were deleted during a write").isGreaterThan(10);
    }

    @Test
    void no_update_is_lost_and_no_term_used_twice_while_the_record_is_deleted() throws InterruptedException {
        for (long seed = 1; seed <= SEEDS; seed++) {
            Race.run(
                    seed,
                    folder -> {
                        var file = new LeaseFile("orders", folder);
                        return new Race.Register(
                                file::read, (expected, next) -> file.compareAndSet(expected, next, false));
                    },
                    folder -> Optional.of(lease -> {
                        new FloorFile(folder).raiseTo(DeletionFloor.NONE.raisedBy(lease));
                        new LeaseFile("orders", folder).delete(lease.version());
                    }));
        }
    }

    @Test
    void a_writer_suspended_between_read_and_rename_writes_nothing() throws IOException {
        var others = new LeaseFile("orders", new LeaseFolder(directory));
        var slow = new LeaseFile("orders", new LeaseFolder(directory) {
            @Override
            boolean replace(String name, String replaced) throws IOException {
                if (others.read().version().isAbsent()) {
                    others.compareAndSet(LeaseVersion.ABSENT, Race.record(1, "a"), false);
                }
                return super.replace(name, replaced);
            }
        });
        assertThat(slow.compareAndSet(LeaseVersion.ABSENT, Race.record(1, "b"), false))
                .isEqualTo(new CasOutcome.Conflict(others.read()));
        assertThat(others.read().record().orElseThrow().nonce()).isEqualTo("a");
        assertThat(files()).containsExactly("orders.lease");
    }

    @Test
    void a_writer_whose_temporary_file_was_deleted_tries_again() throws IOException {
        int[] left = {3};
        var disturbed = new LeaseFile("orders", new LeaseFolder(directory) {
            @Override
            boolean replace(String name, String replaced) throws IOException {
                if (left[0]-- > 0) {
                    delete(name);
                }
                return super.replace(name, replaced);
            }
        });
        assertThat(disturbed.compareAndSet(LeaseVersion.ABSENT, Race.record(1, "a"), false))
                .isEqualTo(new CasOutcome.Written(LeaseVersion.of(1)));
        left[0] = Integer.MAX_VALUE;
        assertThat(disturbed.compareAndSet(LeaseVersion.of(1), Race.record(2, "b"), false))
                .isInstanceOfSatisfying(
                        CasOutcome.Unknown.class,
                        unknown ->
                                assertThat(unknown.reason()).contains("other processes wrote during each of 20 tries"));
        assertThat(files()).containsExactly("orders.lease");
    }

    @Test
    void a_suspended_process_with_the_lock_does_not_block_other_writers() throws Exception {
        try (var store = FileLeaseStore.open(directory)) {
            var holder = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-Xmx32m",
                            "-cp",
                            System.getProperty("java.class.path"),
                            Holding.class.getName(),
                            directory.resolve(".lock").toString())
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            try {
                assertThat(holder.inputReader().readLine()).isEqualTo("held");
                assertThat(store.compareAndSet("orders", LeaseVersion.ABSENT, Race.record(1, "a")))
                        .isInstanceOf(CasOutcome.Written.class);
                try (var second = FileLeaseStore.open(directory)) {
                    assertThat(second.read("orders").version()).isEqualTo(LeaseVersion.of(1));
                }
            } finally {
                holder.destroyForcibly();
            }
        }
    }

    @Test
    void a_suspended_thread_with_the_lock_does_not_block_other_writers() throws Exception {
        var stopped = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        try (var lock = DirectoryLock.of(directory.toRealPath());
                var store = FileLeaseStore.open(directory)) {
            var thread = new Thread(() -> {
                try {
                    lock.locked(locked -> {
                        stopped.countDown();
                        return waitFor(goOn);
                    });
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            thread.start();
            stopped.await();
            assertThat(store.compareAndSet("orders", LeaseVersion.ABSENT, Race.record(1, "a")))
                    .isInstanceOf(CasOutcome.Written.class);
            goOn.countDown();
            thread.join();
        }
    }

    private static boolean waitFor(CountDownLatch latch) throws IOException {
        try {
            return latch.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** A process that locks the given file until the process is killed. */
    static final class Holding {
        public static void main(String[] args) throws Exception {
            try (var channel = FileChannel.open(Path.of(args[0]), StandardOpenOption.WRITE);
                    var held = channel.lock()) {
                System.out.println(held.isValid() ? "held" : "lost");
                Thread.sleep(Long.MAX_VALUE);
            }
        }
    }

    private Iterable<String> files() throws IOException {
        try (var files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).toList();
        }
    }
}
