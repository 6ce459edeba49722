package dev.doyen.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.doyen.election.Threads;
import dev.doyen.event.ElectionEvent;
import dev.doyen.event.LossCause;
import dev.doyen.event.Moment;
import dev.doyen.log.LineLimiter;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class EventLogTest {

    private static final Logger DOYEN = Logger.getLogger("dev.doyen");

    private final SystemThreads threads = new SystemThreads("test");
    private final CountDownLatch hanging = new CountDownLatch(1);
    private final CountDownLatch reached = new CountDownLatch(1);
    private final List<String> written = new ArrayList<>();
    private final CountDownLatch last = new CountDownLatch(1);

    /** An appender that hangs at its first line until the test releases the latch {@code hanging}. */
    private final Handler appender = new Handler() {
        @Override
        public void publish(LogRecord line) {
            reached.countDown();
            try {
                hanging.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            written.add(line.getMessage());
            if (line.getMessage().endsWith("last")) {
                last.countDown();
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    @BeforeEach
    void listen() {
        DOYEN.setUseParentHandlers(false);
        DOYEN.addHandler(appender);
    }

    @AfterEach
    void close() {
        hanging.countDown();
        DOYEN.removeHandler(appender);
        DOYEN.setUseParentHandlers(true);
        threads.close();
    }

    @Test
    void a_hanging_appender_blocks_no_caller_and_waiting_lines_are_written_in_order() throws Exception {
        var log = new EventLog(threads);
        log.log(System.Logger.Level.INFO, "orders", "first");
        assertThat(reached.await(30, TimeUnit.SECONDS)).isTrue();

        log.log(System.Logger.Level.INFO, "orders", "second");
        log.log(System.Logger.Level.DEBUG, "orders", "below the level");
        log.log(System.Logger.Level.INFO, "orders", "last");
        assertThat(written).isEmpty();

        hanging.countDown();
        assertThat(last.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(written).containsExactly("election=orders first", "election=orders second", "election=orders last");
    }

    @Test
    void lines_above_the_limit_are_counted_and_reported() throws Exception {
        var log = new EventLog(threads);
        log.log(System.Logger.Level.INFO, "orders", "first");
        assertThat(reached.await(30, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < EventLog.MAX_WAITING + 3; i++) {
            log.log(System.Logger.Level.INFO, "orders", i == EventLog.MAX_WAITING - 1 ? "last" : "more");
        }

        hanging.countDown();
        assertThat(last.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(written)
                .hasSize(EventLog.MAX_WAITING + 2)
                .contains("3 lines were dropped, because the log was too slow");
    }

    @Test
    void a_line_for_which_no_thread_could_be_started_is_written_before_the_next_one() throws Exception { // L8
        var refusing = new AtomicBoolean(true);
        var log = new EventLog((Threads) Proxy.newProxyInstance(
                Threads.class.getClassLoader(), new Class<?>[] {Threads.class}, (on, called, with) -> {
                    if (refusing.get()) {
                        throw new OutOfMemoryError("unable to create native thread, on purpose");
                    }
                    return called.invoke(threads, with);
                }));
        hanging.countDown();
        assertThatCode(() -> log.log(System.Logger.Level.INFO, "orders", "first"))
                .doesNotThrowAnyException();
        refusing.set(false);
        log.log(System.Logger.Level.INFO, "orders", "last");

        assertThat(last.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(written).containsExactly("election=orders first", "election=orders last");
    }

    @Test
    void a_part_of_a_loop_that_throws_is_logged_the_first_time() throws Exception { // L8
        var log = new EventLog(threads);
        hanging.countDown();
        for (int i = 0; i < 3; i++) {
            boolean survived = log.survives("orders", "a step", () -> {
                throw new IllegalStateException("on purpose");
            });
            assertThat(survived).isFalse();
        }
        assertThat(log.survives("orders", "a step", () -> {})).isTrue();
        log.log(System.Logger.Level.INFO, "", "last");

        assertThat(last.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(written)
                .containsExactly(
                        "election=orders a step failed; the program continues. Further faults of this kind are not logged",
                        "last");
    }

    @Test
    void a_limited_log_counts_the_lines_that_it_leaves_out_and_logs_every_fault() {
        hanging.countDown();
        var clock = new Clock();
        var log = EventLog.limited(clock);
        for (int i = 0; i < LineLimiter.AT_ONCE; i++) {
            log.log(System.Logger.Level.INFO, "orders", new ElectionEvent.Recovered(1));
        }
        log.log(System.Logger.Level.INFO, "orders", new ElectionEvent.Recovered(1));
        log.log(System.Logger.Level.INFO, "orders", new ElectionEvent.Lost(1, LossCause.EXPIRED));
        log.log(System.Logger.Level.INFO, "bills", new ElectionEvent.Lost(2, LossCause.RESIGNED));
        log.log(System.Logger.Level.WARNING, "orders", "the store returned no usable answer: on purpose");
        assertThat(written).hasSize(LineLimiter.AT_ONCE);
        log.fault("orders", "a step failed", new IllegalStateException("on purpose"));
        assertThat(written).hasSize(LineLimiter.AT_ONCE + 1);
        assertThat(clock.timers).as("one timer reports all counted lines").hasSize(1);

        clock.nanos += TimeUnit.SECONDS.toNanos(EventLog.REPORT_SECONDS);
        clock.timers.remove(0).run();
        assertThat(written)
                .hasSize(LineLimiter.AT_ONCE + 2)
                .endsWith("4 lines were left out, because more than 10 lines per second were due:"
                        + " 1 Lost EXPIRED, 1 Lost RESIGNED, 1 Recovered, 1 WARNING");
        log.log(System.Logger.Level.INFO, "", "last");
        assertThat(written).endsWith("last");
        assertThat(clock.timers).isEmpty();
    }

    /** Runs each task immediately, except timers, which a test runs. */
    private static final class Clock extends OneThread {
        final List<Runnable> timers = new ArrayList<>();
        long nanos;

        Clock() {
            super(new AtomicBoolean());
        }

        @Override
        public Moment now() {
            return new Moment(nanos, 0);
        }

        @Override
        public Timer at(long atNanos, Runnable task) {
            timers.add(task);
            return () -> {};
        }
    }
}
