package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.election.LeaseTiming;
import dev.doyen.event.Moment;
import dev.doyen.stores.local.MemoryLeaseStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(180)
final class VirtualTimeTest {

    @Test
    void a_thread_with_its_own_work_runs_no_callback_of_another_thread() throws Exception {
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

    @Test
    void both_clocks_advance_equally_in_parts_of_a_millisecond() {
        var time = new VirtualTime();
        Moment start = time.now();
        for (int i = 0; i < 1_000; i++) {
            time.pass(Duration.ofNanos(1_234_567));
        }
        assertThat(time.now().nanosSince(start)).isEqualTo(1_234_567_000);
        assertThat(time.now().wallMillisSince(start)).isEqualTo(1_234);
    }

    @Test
    void the_monotonic_clock_of_a_suspended_machine_stops_for_all_readers() {
        var time = new VirtualTime();
        LeaseTiming timing = LeaseTiming.ofTtl(LeaseTiming.DEFAULT_TTL);
        var process = new FakeProcess("orders", time, new MemoryLeaseStore(), timing, 1);
        Moment start = process.now();
        process.sleep();
        time.pass(Duration.ofSeconds(30));
        assertThat(process.now().nanosSince(start)).isZero();
        assertThat(process.now().wallMillisSince(start)).isEqualTo(30_000);
        process.thaw();
        assertThat(process.now().nanosSince(start)).isZero();
        time.pass(Duration.ofSeconds(1));
        assertThat(process.now().nanosSince(start)).isEqualTo(1_000_000_000);
        process.election().close();
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
