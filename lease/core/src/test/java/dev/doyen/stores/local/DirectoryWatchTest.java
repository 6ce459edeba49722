package dev.doyen.stores.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a watch works again after a failed start of its thread, and after a watcher has thrown. */
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

    private void change() throws IOException {
        Files.writeString(directory.resolve("a"), "x" + System.nanoTime());
    }
}
