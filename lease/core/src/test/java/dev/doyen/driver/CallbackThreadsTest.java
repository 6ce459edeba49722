package dev.doyen.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests rule L8: callbacks have their own threads, whose number is limited. */
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
    void hanging_callbacks_use_a_limited_number_of_threads() throws Exception {
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
        // The pool starts one more thread if it does not yet count the first thread as idle.
        assertThat(made).hasSizeBetween(CallbackThreads.MAX, CallbackThreads.MAX + 1);
        assertThat(done.getCount()).isEqualTo(MANY);

        release.countDown();
        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_hanging_callback_delays_no_other() throws Exception {
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
    void a_thread_is_available_after_any_number_of_callbacks() throws Exception {
        for (int i = 0; i < 2 * CallbackThreads.MAX; i++) {
            var done = new CountDownLatch(1);
            threads.run(done::countDown);
            assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void a_callback_that_throws_does_not_end_its_thread() throws Exception {
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
    void callbacks_after_the_close_are_dropped_without_an_exception() {
        var ran = new AtomicBoolean();
        threads.close();
        threads.run(() -> ran.set(true));
        assertThat(ran).isFalse();
        assertThat(later).isEmpty();
    }

    @Test
    void L9_callbacks_that_wait_at_the_close_still_run() throws Exception {
        var release = new CountDownLatch(1);
        var hanging = new CountDownLatch(1);
        threads.run(() -> {
            hanging.countDown();
            awaitQuietly(release);
        });
        assertThat(hanging.await(30, TimeUnit.SECONDS)).isTrue();
        refusing.set(true);
        var accepted = new CountDownLatch(2);
        var late = new AtomicBoolean();
        threads.run(accepted::countDown);
        threads.run(accepted::countDown);
        threads.close();
        threads.run(() -> late.set(true));

        release.countDown();
        assertThat(accepted.await(30, TimeUnit.SECONDS)).isTrue();
        for (Thread each : made) {
            each.join(TimeUnit.SECONDS.toMillis(30));
            assertThat(each.isAlive()).isFalse();
        }
        assertThat(late).isFalse();
    }

    @Test
    void L9_callbacks_that_wait_for_a_first_thread_run_at_the_close() {
        var refused = new CallbackThreads(
                task -> {
                    throw new OutOfMemoryError("unable to create native thread, on purpose");
                },
                later::add,
                0);
        var ran = new ArrayList<String>();
        refused.run(() -> ran.add("first"));
        refused.run(() -> ran.add("second"));
        assertThat(ran).isEmpty();
        refused.close();
        assertThat(ran).containsExactly("first", "second");

        later.remove().run();
        refused.close();
        assertThat(ran).hasSize(2);
    }

    @Test
    void hanging_callbacks_end_after_the_close_and_no_other_follows() throws Exception {
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
    void callbacks_wait_for_a_thread_and_none_is_lost() throws Exception {
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
                .as("no attempt is due while a thread can run the callbacks")
                .isEmpty();

        release.countDown();
        assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void the_start_of_a_first_thread_is_repeated() throws Exception {
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
            assertThat(later)
                    .as("the second attempt fails, and a third one is due")
                    .hasSize(1);
            assertThat(done.getCount()).isEqualTo(2);

            refusing.set(false);
            later.remove().run();
            assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(later).isEmpty();
        } finally {
            refused.close();
        }
    }

    @Test
    void an_attempt_that_could_not_be_scheduled_is_scheduled_by_the_next_callback() throws Exception {
        refusing.set(true);
        var laterRefuses = new AtomicBoolean(true);
        var refused = new CallbackThreads(
                task -> {
                    if (refusing.get()) {
                        throw new OutOfMemoryError("unable to create native thread, on purpose");
                    }
                    return daemon(task);
                },
                task -> {
                    if (laterRefuses.get()) {
                        throw new OutOfMemoryError("on purpose");
                    }
                    later.add(task);
                },
                0);
        try {
            var done = new CountDownLatch(2);
            refused.run(done::countDown);
            laterRefuses.set(false);
            refused.run(done::countDown);
            assertThat(later).hasSize(1);

            refusing.set(false);
            later.remove().run();
            assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
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
