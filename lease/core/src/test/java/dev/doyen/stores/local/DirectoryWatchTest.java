package dev.doyen.stores.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a watch works again after a fault, and after its directory was deleted. */
class DirectoryWatchTest {

    @TempDir
    private Path directory;

    @Test
    void the_next_watch_starts_a_thread_that_was_refused() throws Exception { // L8
        var refusing = new AtomicBoolean(true);
        var changed = new CountDownLatch(1);
        try (var watch = new DirectoryWatch(directory, task -> new Thread(task) {
            @Override
            public synchronized void start() {
                if (refusing.get()) {
                    throw new OutOfMemoryError("unable to create native thread, on purpose");
                }
                super.start();
            }
        })) {
            assertThat(watch.watch("a", () -> {})).isEmpty();
            refusing.set(false);
            assertThat(watch.watch("a", changed::countDown)).isPresent();
            change();

            assertThat(changed.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void an_Error_of_a_watcher_does_not_prevent_the_next_change() throws Exception { // L8
        var first = new CountDownLatch(1);
        var changed = new CountDownLatch(1);
        try (var watch = new DirectoryWatch(directory)) {
            assertThat(watch.watch("a", () -> {
                        first.countDown();
                        throw new OutOfMemoryError("on purpose");
                    }))
                    .isPresent();
            change();
            assertThat(first.await(60, TimeUnit.SECONDS)).isTrue();
            assertThat(watch.watch("a", changed::countDown)).isPresent();
            change();

            assertThat(changed.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void a_watch_continues_after_its_directory_was_deleted_and_created_again() throws Exception {
        Path deleted = Files.createDirectory(directory.resolve("deleted"));
        var announcements = new LinkedBlockingQueue<String>();
        try (var watch = new DirectoryWatch(deleted)) {
            assertThat(watch.watch("a", () -> announcements.add("a"))).isPresent();
            Files.delete(deleted);
            Files.createDirectory(deleted);
            assertThat(announcements.poll(60, TimeUnit.SECONDS))
                    .as("changes were possibly missed")
                    .isEqualTo("a");

            Files.writeString(deleted.resolve("a"), "x");
            assertThat(announcements.poll(60, TimeUnit.SECONDS)).isEqualTo("a");
        }
    }

    private void change() throws IOException {
        Files.writeString(directory.resolve("a"), "x" + System.nanoTime());
    }
}
