package dev.doyen.injector.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.elector.reload.RepeatedTask;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** Tests that the injector's loops continue after an Error. They log the same Error again only after a success. */
class LoopFaultsTest {

    @Test
    void a_periodic_task_that_fails_with_an_Error_is_repeated_and_logged_once() throws Exception { // L8
        var runs = new CountDownLatch(8);
        List<String> lines = logged(RepeatedTask.class, () -> {
            try (var checkInterval = new RepeatedTask("keeping", Duration.ofMillis(1), () -> {
                runs.countDown();
                // The task fails several times, succeeds once, and fails again. So the log contains two lines.
                if (runs.getCount() != 4) {
                    throw new OutOfMemoryError("on purpose");
                }
            })) {
                assertThat(runs.await(60, TimeUnit.SECONDS)).isTrue();
            }
        });

        assertThat(lines)
                .containsExactly(
                        "keeping failed and is tried again: on purpose",
                        "keeping failed and is tried again: on purpose");
    }

    @Test
    void a_task_that_fails_with_an_Error_is_repeated() throws Exception { // L8
        var runs = new CountDownLatch(3);
        var thread = new ScheduledThreadPoolExecutor(1);
        List<String> lines = logged(CombinedTask.class, () -> {
            var task = new CombinedTask(thread, 1, () -> {
                runs.countDown();
                if (runs.getCount() > 0) {
                    throw new OutOfMemoryError("on purpose");
                }
            });
            thread.execute(task::call);
            assertThat(runs.await(60, TimeUnit.SECONDS)).isTrue();
        });
        thread.shutdown();

        assertThat(lines).containsExactly("on purpose; the next attempt follows every 1 ms");
    }

    @Test
    void a_run_that_could_not_be_scheduled_is_scheduled_by_the_next_request() throws Exception { // L8
        var failing = new AtomicBoolean(true);
        var thread = new ScheduledThreadPoolExecutor(1) {
            @Override
            public ScheduledFuture<?> schedule(Runnable task, long delay, TimeUnit unit) {
                // The executor also calls this method, with the delay 0, for each submitted task.
                if (delay > 0 && failing.getAndSet(false)) {
                    throw new OutOfMemoryError("on purpose");
                }
                return super.schedule(task, delay, unit);
            }
        };
        var ran = new CountDownLatch(1);
        var task = new CombinedTask(thread, 1, ran::countDown);
        Future<?> failed = thread.submit(task::call);
        assertThatThrownBy(failed::get).hasRootCauseMessage("on purpose");
        Future<?> unused = thread.submit(task::call);

        assertThat(ran.await(60, TimeUnit.SECONDS)).isTrue();
        thread.shutdown();
    }

    private interface Part {
        void run() throws Exception;
    }

    private static List<String> logged(Class<?> of, Part part) throws Exception {
        var lines = new ArrayList<String>();
        var handler = new Handler() {
            @Override
            public synchronized void publish(LogRecord line) {
                lines.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger(of.getName());
        logger.addHandler(handler);
        try {
            part.run();
        } finally {
            logger.removeHandler(handler);
        }
        synchronized (handler) {
            return List.copyOf(lines);
        }
    }
}
