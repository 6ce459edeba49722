package dev.doyen.cli.run.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.LeaseLeadership;
import dev.doyen.event.SavedState;
import dev.doyen.testkit.RefusableThreads;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that a failed save is repeated. */
@Timeout(180)
final class StateSaverTest {

    private final AtomicBoolean refusing = new AtomicBoolean();
    private final RecordedLeadership leadership = new RecordedLeadership();
    private final StateSaver saver = new StateSaver("e", notice -> {}, new RefusableThreads(refusing::get));
    private StateFile file;

    @BeforeEach
    void given() throws IOException {
        file = StateFile.create();
        file.give(SavedState.EMPTY);
        Files.writeString(file.path(), "end");
    }

    @AfterEach
    void close() {
        saver.close();
        file.close();
    }

    @Test
    void a_state_that_got_no_thread_is_saved_by_the_next_save() throws Exception {
        refusing.set(true);
        saveLast().get(60, TimeUnit.SECONDS);
        assertThat(leadership.saved).isEmpty();

        refusing.set(false);
        saveLast().get(60, TimeUnit.SECONDS);
        saveLast().get(60, TimeUnit.SECONDS);
        assertThat(leadership.saved).containsExactly(SavedState.ofText("end"));
    }

    @Test
    void a_state_whose_save_threw_is_saved_by_the_next_save() throws Exception {
        leadership.first.completeExceptionally(new OutOfMemoryError("on purpose"));
        saveLast().get(60, TimeUnit.SECONDS);
        assertThat(leadership.saved).isEmpty();

        saveLast().get(60, TimeUnit.SECONDS);
        saveLast().get(60, TimeUnit.SECONDS);
        assertThat(leadership.saved).containsExactly(SavedState.ofText("end"));
    }

    @Test
    void the_last_save_repeats_a_save_that_fails_meanwhile() throws Exception {
        leadership.blocks = true;
        saver.saveLast(file, leadership, () -> {});
        var last = saveLast();
        leadership.first.completeExceptionally(new OutOfMemoryError("on purpose"));

        last.get(60, TimeUnit.SECONDS);
        assertThat(leadership.saved).containsExactly(SavedState.ofText("end"));
    }

    private CompletableFuture<Void> saveLast() {
        var done = new CompletableFuture<Void>();
        saver.saveLast(file, leadership, () -> done.complete(null));
        return done;
    }

    /** A leadership that records the saved states. The first save can wait and fail. */
    private static final class RecordedLeadership implements LeaseLeadership {
        private final List<SavedState> saved = new CopyOnWriteArrayList<>();
        private final CompletableFuture<Void> first = new CompletableFuture<>();
        private final AtomicBoolean begun = new AtomicBoolean();
        private volatile boolean blocks;

        @Override
        public void save(SavedState state) {
            if (begun.compareAndSet(false, true) && (blocks || first.isDone())) {
                first.join();
            }
            saved.add(state);
        }

        @Override
        public long term() {
            return 1;
        }

        @Override
        public SavedState state() {
            return SavedState.EMPTY;
        }

        @Override
        public boolean isCertain() {
            return true;
        }

        @Override
        public Duration remaining() {
            return Duration.ofMinutes(10);
        }

        @Override
        public void check() {}
    }
}
