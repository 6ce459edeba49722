package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
final class VirtualTimeTest {

    @Test
    void a_thread_with_work_of_its_own_runs_no_callback_that_another_has_caused() throws Exception {
        var time = new VirtualTime();
        var first = new CountDownLatch(1);
        var worked = new CountDownLatch(1);
        List<Thread> ran = new ArrayList<>();
        var worker = new Thread(() -> {
            await(first);
            time.run(false, () -> {});
            worked.countDown();
        });
        worker.start();

        time.run(false, () -> {
            time.run(true, () -> {
                first.countDown();
                await(worked);
            });
            time.run(true, () -> ran.add(Thread.currentThread()));
        });

        assertThat(ran).containsExactly(Thread.currentThread());
        worker.join();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
