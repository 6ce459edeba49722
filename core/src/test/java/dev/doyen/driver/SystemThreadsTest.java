package dev.doyen.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rule L8: a process that cannot start threads for a while goes on, and so does one whose tasks throw. */
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
    void without_new_threads_one_of_each_kind_goes_on() throws Exception {
        refusing.set(true);
        var done = new CountDownLatch(4);
        assertThat(threads.loop(done::countDown)).isTrue();
        threads.at(threads.now().nanos(), done::countDown);
        threads.callback(done::countDown);
        while (!threads.store(done::countDown)) {
            // The thread that was started first takes a call as soon as it waits for one.
            Thread.onSpinWait();
        }
        assertThat(done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_store_call_for_which_no_thread_can_be_started_is_refused_and_does_not_throw() throws Exception {
        var release = new CountDownLatch(1);
        refusing.set(true);
        int taken = 0;
        while (threads.store(() -> awaitQuietly(release))) {
            taken++;
        }
        assertThat(taken).as("by threads that were there").isLessThanOrEqualTo(1);
        var ran = new CountDownLatch(1);

        refusing.set(false);
        assertThat(threads.store(ran::countDown)).isTrue();
        assertThat(ran.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        release.countDown();
    }

    @Test
    void callbacks_for_which_no_thread_can_be_started_run_when_one_can() throws Exception {
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
        // The thread that ran the fatal call may not be idle yet; another is started then.
        threads.store(done::countDown);
        threads.callback(done::countDown);
        assertThat(done.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    private ThreadFactory refusable(String name) {
        return task -> {
            if (refusing.get()) {
                throw new OutOfMemoryError("unable to create native thread, on purpose");
            }
            var thread = new Thread(task, name);
            thread.setDaemon(true);
            return thread;
        };
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
