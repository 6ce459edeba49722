package dev.doyen.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rule L8: callbacks have threads of their own, and not without end. */
class CallbackThreadsTest {

    private static final int MANY = 10 * CallbackThreads.MAX;

    private final Set<Thread> made = ConcurrentHashMap.newKeySet();
    private final CallbackThreads threads = new CallbackThreads(task -> {
        var thread = new Thread(task, "callback");
        thread.setDaemon(true);
        made.add(thread);
        return thread;
    });

    @AfterEach
    void close() {
        threads.close();
    }

    @Test
    void callbacks_that_hang_hold_no_more_threads_than_the_bound_and_the_others_run_after_them() throws Exception {
        var release = new CountDownLatch(1);
        var hung = new CountDownLatch(CallbackThreads.MAX);
        var done = new CountDownLatch(MANY);
        for (int i = 0; i < MANY; i++) {
            threads.run(() -> {
                hung.countDown();
                awaitQuietly(release);
                done.countDown();
            });
        }
        assertThat(hung.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(made).hasSize(CallbackThreads.MAX);
        assertThat(done.getCount()).isEqualTo(MANY);

        release.countDown();
        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void one_that_hangs_keeps_no_other_waiting() throws Exception {
        var release = new CountDownLatch(1);
        var others = new CountDownLatch(100);
        threads.run(() -> awaitQuietly(release));
        for (int i = 0; i < 100; i++) {
            threads.run(others::countDown);
        }
        assertThat(others.await(30, TimeUnit.SECONDS)).isTrue();
        release.countDown();
    }

    @Test
    void however_many_have_run_one_after_the_other_there_is_a_thread_for_the_next() throws Exception {
        for (int i = 0; i < 2 * CallbackThreads.MAX; i++) {
            var done = new CountDownLatch(1);
            threads.run(done::countDown);
            assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void a_callback_that_throws_takes_no_thread_with_it() throws Exception {
        for (int i = 0; i < 2 * CallbackThreads.MAX; i++) {
            threads.run(() -> {
                throw new IllegalStateException("a listener's fault, on purpose");
            });
        }
        var after = new CountDownLatch(1);
        threads.run(after::countDown);
        assertThat(after.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void after_the_close_nothing_runs_and_nobody_is_told_so_by_an_exception() {
        threads.close();
        threads.run(() -> made.add(Thread.currentThread()));
        assertThat(made).isEmpty();
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
