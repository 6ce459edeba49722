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

/** A watch survives a thread that cannot be started, and a watcher that throws. */
class DirectoryWatchTest {

    @TempDir
    private Path directory;

    @Test
    void after_its_thread_was_refused_the_next_watch_starts_it() throws Exception { // L8
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
    void one_who_watches_and_throws_an_Error_keeps_nobody_from_the_next_change() throws Exception { // L8
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
