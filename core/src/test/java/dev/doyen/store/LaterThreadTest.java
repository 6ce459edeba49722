package dev.doyen.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LaterThreadTest {

    private final CountDownLatch turns = new CountDownLatch(2);

    @Test
    void a_task_that_throws_an_Error_keeps_no_other_from_running() throws Exception { // L8
        try (var later = new LaterThread("test", new FaultLog(System.getLogger("dev.doyen")))) {
            later.after(Duration.ZERO, "a turn", this::turnAndFail);
            later.after(Duration.ofMillis(1), "a turn", this::turnAndFail);

            assertThat(turns.await(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    private void turnAndFail() {
        turns.countDown();
        throw new OutOfMemoryError("on purpose");
    }
}
