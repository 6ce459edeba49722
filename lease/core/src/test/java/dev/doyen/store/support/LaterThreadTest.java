package dev.doyen.store.support;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.log.FaultLog;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LaterThreadTest {

    private final Queue<String> ran = new ConcurrentLinkedQueue<>();
    private final CountDownLatch done = new CountDownLatch(1);

    @Test
    void a_cancelled_task_does_not_run() throws Exception {
        try (var later = new LaterThread("test", new FaultLog(System.getLogger("dev.doyen.test")))) {
            // The tasks run on one thread, so the second task cannot start before the first task has cancelled it.
            later.after(Duration.ZERO, "the first task", () -> {
                later.after(Duration.ZERO, "the second task", () -> ran.add("second"))
                        .cancel();
                later.after(Duration.ZERO, "the third task", done::countDown);
            });

            assertThat(done.await(60, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(ran).isEmpty();
    }
}
