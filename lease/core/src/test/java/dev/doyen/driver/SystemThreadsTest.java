package dev.doyen.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.election.Threads;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests rule L8: the threads of a process continue after a task has thrown, and after the start of a thread has failed.
 */
@Timeout(180)
class SystemThreadsTest {

    private static final int PATIENCE_SECONDS = 30;

    private final AtomicBoolean refusing = new AtomicBoolean();
    private final SystemThreads threads = new SystemThreads(name -> refusable(name), "test");

    @AfterEach
    void close() {
        threads.close();
    }

    @Test
    void without_new_threads_the_first_thread_of_each_kind_continues() throws Exception {
        refusing.set(true);
        var done = new CountDownLatch(4);
        assertThat(threads.loop(done::countDown)).isTrue();
        threads.at(threads.now().nanos(), done::countDown);
        threads.callback(done::countDown);
        while (!threads.store(done::countDown)) {
            // No further thread can start, so the pool accepts the call only when the first thread is idle.
            Thread.onSpinWait();
        }
        assertThat(done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_store_call_without_a_thread_is_rejected_without_an_exception() throws Exception {
        var release = new CountDownLatch(1);
        refusing.set(true);
        int taken = 0;
        while (threads.store(() -> awaitQuietly(release))) {
            taken++;
        }
        assertThat(taken).as("only the first thread accepts a call").isLessThanOrEqualTo(1);
        var ran = new CountDownLatch(1);

        refusing.set(false);
        assertThat(threads.store(ran::countDown)).isTrue();
        assertThat(ran.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        release.countDown();
    }

    @Test
    void callbacks_run_when_a_thread_can_be_started() throws Exception {
        var release = new CountDownLatch(1);
        var busy = new CountDownLatch(1);
        threads.callback(() -> {
            busy.countDown();
            awaitQuietly(release);
        });
        assertThat(busy.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        refusing.set(true);
        var ran = new CountDownLatch(1);
        threads.callback(ran::countDown);
        refusing.set(false);
        release.countDown();
        assertThat(ran.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_task_that_throws_an_Error_ends_neither_the_loop_nor_a_timer_nor_a_thread_for_calls() throws Exception {
        Runnable fatal = () -> {
            throw new StackOverflowError("on purpose");
        };
        threads.loop(fatal);
        threads.at(threads.now().nanos(), fatal);
        threads.store(fatal);
        threads.callback(fatal);
        var done = new CountDownLatch(4);
        threads.loop(done::countDown);
        threads.at(threads.now().nanos(), done::countDown);
        // If the thread of the fatal call is still busy, another thread starts.
        threads.store(done::countDown);
        threads.callback(done::countDown);
        assertThat(done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_task_that_throws_is_logged() throws Exception {
        try (var log = new LoggedLines("failing");
                var failing = new SystemThreads("failing")) {
            failing.loop(() -> {
                throw new IllegalStateException("on purpose");
            });
            assertThat(log.next())
                    .isEqualTo("a task failed; the program continues. Further faults of this kind are not logged");
        }
    }

    @Test
    void a_thread_that_could_not_be_started_is_logged() throws Exception {
        var release = new CountDownLatch(1);
        try (var log = new LoggedLines("refused");
                var refused = new SystemThreads(this::refusable, "refused")) {
            refusing.set(true);
            while (refused.store(() -> awaitQuietly(release))) {
                // The pool accepts a call if its first thread is idle. The loop ends when the pool needs another
                // thread, which cannot start.
                Thread.onSpinWait();
            }
            assertThat(log.next())
                    .isEqualTo(
                            "a thread could not be started; the program continues. Further faults of this kind are not logged");
        } finally {
            release.countDown();
        }
    }

    @Test
    void a_callback_runs_after_a_second_attempt_to_start_a_thread() throws Exception {
        var starts = new AtomicInteger();
        var refusedAt = new AtomicLong();
        var startedAt = new AtomicLong();
        var started = new SystemThreads(
                name -> task -> {
                    if (!name.endsWith("-callback")) {
                        return daemon(name, task);
                    }
                    int start = starts.incrementAndGet();
                    if (start == 1) {
                        // This is the constructor's attempt to start a thread for callbacks. The attempt fails.
                        return null;
                    }
                    if (start == 2) {
                        refusedAt.set(System.nanoTime());
                        throw new OutOfMemoryError("unable to create native thread, on purpose");
                    }
                    startedAt.set(System.nanoTime());
                    return daemon(name, task);
                },
                "test");
        try {
            var ran = new CountDownLatch(1);
            started.callback(ran::countDown);
            assertThat(ran.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(startedAt.get() - refusedAt.get()).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(100));
        } finally {
            started.close();
        }
    }

    @Test
    void a_timer_that_was_cancelled_does_not_run() throws Exception {
        var release = new CountDownLatch(1);
        threads.loop(() -> awaitQuietly(release));
        var ran = new AtomicBoolean();
        Threads.Timer timer = threads.at(threads.now().nanos(), () -> ran.set(true));
        var later = new CountDownLatch(1);
        threads.at(threads.now().nanos(), later::countDown);
        timer.cancel();
        release.countDown();

        assertThat(later.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(ran).isFalse();
    }

    @Test
    void after_the_close_tasks_are_rejected_and_timers_hold_no_thread() throws Exception {
        var started = new LinkedBlockingQueue<Thread>();
        try (var closing = new SystemThreads(
                name -> task -> {
                    Thread thread = daemon(name, task);
                    started.add(thread);
                    return thread;
                },
                "closing")) {
            closing.at(closing.now().nanos() + Duration.ofHours(1).toNanos(), () -> {});
        }
        assertThat(started).as("one thread of each kind has started").hasSize(3);
        for (Thread each : started) {
            each.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            assertThat(each.isAlive()).as(each.getName()).isFalse();
        }
        threads.close();

        assertThat(threads.loop(() -> {})).isFalse();
        assertThat(threads.store(() -> {})).isFalse();
        threads.at(threads.now().nanos(), () -> {}).cancel();
    }

    @ParameterizedTest
    @ValueSource(strings = {"-loop", "-store", "-callback"})
    void if_a_first_thread_cannot_start_the_earlier_ones_end(String refusedKind) throws Exception {
        var started = new LinkedBlockingQueue<Thread>();
        assertThatThrownBy(() -> new SystemThreads(
                        name -> task -> {
                            if (name.endsWith(refusedKind)) {
                                throw new OutOfMemoryError("unable to create native thread, on purpose");
                            }
                            Thread thread = daemon(name, task);
                            started.add(thread);
                            return thread;
                        },
                        "test"))
                .isInstanceOf(OutOfMemoryError.class);
        for (Thread each : started) {
            each.join(TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
            assertThat(each.isAlive()).as(each.getName()).isFalse();
        }
    }

    @Test
    void all_threads_of_a_process_are_daemons() throws Exception {
        var made = new CompletableFuture<SystemThreads>();
        // A new thread inherits the daemon status of its creator, so the creator in this test is not a daemon.
        var maker = new Thread(() -> made.complete(new SystemThreads("daemons")));
        maker.setDaemon(false);
        maker.start();
        try (SystemThreads real = made.get(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            var found = new LinkedBlockingQueue<Thread>();
            Runnable find = () -> found.add(Thread.currentThread());
            real.loop(find);
            real.store(find);
            real.callback(find);
            for (int i = 0; i < 3; i++) {
                Thread thread = found.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
                assertThat(thread).isNotNull();
                assertThat(thread.isDaemon()).as(thread.getName()).isTrue();
            }
        }
    }

    @Test
    void a_wait_returns_whether_the_future_has_completed_normally_or_not() throws Exception {
        var cancelled = new CompletableFuture<String>();
        cancelled.cancel(false);
        assertThat(threads.await(CompletableFuture.completedFuture("done"), Duration.ZERO))
                .isTrue();
        assertThat(threads.await(
                        CompletableFuture.failedFuture(new IllegalStateException("on purpose")), Duration.ZERO))
                .isTrue();
        assertThat(threads.await(cancelled, Duration.ZERO)).isTrue();
        assertThat(threads.await(new CompletableFuture<String>(), Duration.ZERO))
                .isFalse();
    }

    private ThreadFactory refusable(String name) {
        return task -> {
            if (refusing.get()) {
                throw new OutOfMemoryError("unable to create native thread, on purpose");
            }
            return daemon(name, task);
        };
    }

    private static Thread daemon(String name, Runnable task) {
        var thread = new Thread(task, name);
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
