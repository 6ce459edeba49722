package dev.doyen.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Rule L8: callbacks have their own threads, whose number is limited. */
class CallbackThreadsTest {

    private static final int MANY = 10 * CallbackThreads.MAX;

    private final Set<Thread> made = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean refusing = new AtomicBoolean();
    private final BlockingQueue<Runnable> later = new LinkedBlockingQueue<>();
    private final CallbackThreads threads = new CallbackThreads(
            task -> {
                if (refusing.get()) {
                    throw new OutOfMemoryError("unable to create native thread, on purpose");
                }
                var thread = new Thread(task, "callback");
                thread.setDaemon(true);
                made.add(thread);
                return thread;
            },
            later::add);

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
        // One more may exist: the thread that starts first may not have been idle yet.
        assertThat(made).hasSizeBetween(CallbackThreads.MAX, CallbackThreads.MAX + 1);
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
        var ran = new AtomicBoolean();
        threads.close();
        threads.run(() -> ran.set(true));
        assertThat(ran).isFalse();
        assertThat(later).isEmpty();
    }

    @Test
    void after_the_close_callbacks_that_hung_end_and_no_other_runs_on_their_threads() throws Exception {
        var release = new CountDownLatch(1);
        var hanging = new CountDownLatch(2);
        for (int i = 0; i < 2; i++) {
            threads.run(() -> {
                hanging.countDown();
                awaitQuietly(release);
            });
        }
        assertThat(hanging.await(30, TimeUnit.SECONDS)).isTrue();
        threads.close();
        var ran = new AtomicBoolean();
        for (int i = 0; i < CallbackThreads.MAX; i++) {
            threads.run(() -> ran.set(true));
        }

        release.countDown();
        for (Thread each : made) {
            each.join(TimeUnit.SECONDS.toMillis(30));
            assertThat(each.isAlive()).isFalse();
        }
        assertThat(ran).isFalse();
    }

    @Test
    void while_no_thread_can_be_started_callbacks_wait_and_none_is_lost() throws Exception {
        var release = new CountDownLatch(1);
        var hanging = new CountDownLatch(1);
        threads.run(() -> {
            hanging.countDown();
            awaitQuietly(release);
        });
        assertThat(hanging.await(30, TimeUnit.SECONDS)).isTrue();
        refusing.set(true);
        var done = new CountDownLatch(3);
        for (int i = 0; i < 3; i++) {
            threads.run(done::countDown);
        }
        assertThat(later)
                .as("no attempt is due while a thread runs that will take them")
                .isEmpty();

        release.countDown();
        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void when_no_thread_runs_and_none_can_be_started_another_attempt_follows() throws Exception {
        var refused = new CallbackThreads(
                task -> {
                    if (refusing.get()) {
                        throw new OutOfMemoryError("unable to create native thread, on purpose");
                    }
                    return daemon(task);
                },
                later::add,
                0);
        try {
            refusing.set(true);
            var done = new CountDownLatch(2);
            refused.run(done::countDown);
            refused.run(done::countDown);
            assertThat(later).hasSize(1);
            later.remove().run();
            assertThat(later).as("refused again, and once more").hasSize(1);
            assertThat(done.getCount()).isEqualTo(2);

            refusing.set(false);
            later.remove().run();
            assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(later).isEmpty();
        } finally {
            refused.close();
        }
    }

    private static Thread daemon(Runnable task) {
        var thread = new Thread(task, "callback");
        thread.setDaemon(true);
        return thread;
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
