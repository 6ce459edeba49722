package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Tests which tasks the thread remembers. */
class RaftThreadTest {

    @Test
    void the_task_of_a_completed_future_is_forgotten() {
        try (var thread = new RaftThread("raft test")) {
            var future = new CompletableFuture<String>();
            thread.unlessDone(future, Duration.ofDays(1), () -> {});
            assertThat(thread.waiting()).isOne();

            future.complete("done");
            assertThat(thread.waiting()).isZero();
        }
    }
}
