package dev.doyen.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.health.HealthJudge;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

/** Tests when a health check runs, and when the loop reports a changed health. */
class HealthLoopTest {

    private final ByHand threads = new ByHand();
    private final List<Boolean> eligibilityChanged = new ArrayList<>();

    private HealthLoop loop(boolean answer) {
        return new HealthLoop(
                threads, () -> answer, Duration.ofSeconds(1), HealthJudge.begin(3, 2), eligibilityChanged::add);
    }

    @Test
    void a_hanging_check_counts_as_a_failure_at_each_interval() {
        loop(true).start();
        threads.answer();
        threads.tick();
        assertThat(eligibilityChanged).containsExactly(true);

        for (int i = 0; i < 2; i++) {
            threads.tick();
        }
        assertThat(eligibilityChanged).as("two failed checks change nothing").containsExactly(true);
        threads.tick();

        assertThat(eligibilityChanged).containsExactly(true, false);
        assertThat(threads.checks)
                .as("a check that hangs is not run a second time")
                .isEqualTo(2);
    }

    @Test
    void a_closed_loop_neither_checks_nor_notifies() {
        HealthLoop loop = loop(true);
        loop.start();
        loop.end();
        assertThat(threads.timers).as("no timer remains").isZero();
        threads.answer();
        threads.tick();

        assertThat(eligibilityChanged).isEmpty();
        assertThat(threads.checks).isEqualTo(1);
    }

    @Test
    void it_can_be_closed_before_its_start() {
        HealthLoop loop = loop(true);
        loop.end();
        loop.start();

        assertThat(threads.checks).isZero();
    }

    @Test
    void a_check_that_could_not_start_is_repeated_at_the_next_interval() { // L8
        threads.failing = true;
        HealthLoop loop = loop(true);
        assertThatThrownBy(loop::start).isInstanceOf(OutOfMemoryError.class);
        threads.tick();
        threads.answerAll();

        assertThat(eligibilityChanged).containsExactly(true);
    }

    @Test
    void a_timer_that_could_not_be_set_is_set_again() { // L8
        loop(true).start();
        threads.answer();
        threads.timersFailing = 1;
        assertThatCode(threads::tick).doesNotThrowAnyException();
        threads.answer();
        threads.tick();

        assertThat(threads.timersFailing).isZero();
        assertThat(threads.checks).isEqualTo(3);
    }

    @Test
    void a_failed_notification_is_repeated_with_the_next_result() { // L8
        var failing = new AtomicBoolean(true);
        var loop = new HealthLoop(threads, () -> true, Duration.ofSeconds(1), HealthJudge.begin(3, 1), well -> {
            if (failing.getAndSet(false)) {
                throw new OutOfMemoryError("on purpose");
            }
            eligibilityChanged.add(well);
        });
        loop.start();
        threads.answer();
        assertThat(eligibilityChanged).isEmpty();
        threads.tick();
        threads.answerAll();

        assertThat(eligibilityChanged).containsExactly(true);
    }

    @Test
    void a_check_that_throws_is_logged_once_until_it_returns_again() { // L8
        var lines = new ArrayList<String>();
        var log = new Handler() {
            @Override
            public void publish(LogRecord line) {
                lines.add(line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        var failing = new AtomicBoolean(true);
        var loop = new HealthLoop(
                threads,
                () -> {
                    if (failing.get()) {
                        throw new OutOfMemoryError("on purpose");
                    }
                    return true;
                },
                Duration.ofSeconds(1),
                HealthJudge.begin(1, 1),
                eligibilityChanged::add);
        Logger.getLogger("dev.doyen").addHandler(log);
        try {
            loop.start();
            repeatCheck(5);
            assertThat(lines).hasSize(1);
            failing.set(false);
            repeatCheck(1);
            assertThat(eligibilityChanged).as("the next check runs").containsExactly(true);
            failing.set(true);
            repeatCheck(5);
        } finally {
            Logger.getLogger("dev.doyen").removeHandler(log);
        }

        assertThat(lines)
                .hasSize(2)
                .allMatch(line -> line.startsWith("a health check threw an exception and counts as unhealthy"));
    }

    private void repeatCheck(int times) {
        for (int i = 0; i < times; i++) {
            threads.tick();
            threads.answerAll();
        }
    }

    /**
     * Threads that run each loop task immediately. The method {@code tick} runs the task of the timer, and
     * {@code answer} runs one callback.
     */
    private static final class ByHand extends OneThread {
        private final Deque<Runnable> callbacks = new ArrayDeque<>();
        private Runnable due = () -> {};
        private int checks;
        private int timers;
        private boolean failing;
        private int timersFailing;

        ByHand() {
            super(new AtomicBoolean(true));
        }

        void tick() {
            Runnable task = due;
            due = () -> {};
            timers = 0;
            task.run();
        }

        void answer() {
            callbacks.remove().run();
        }

        void answerAll() {
            while (!callbacks.isEmpty()) {
                answer();
            }
        }

        @Override
        public Timer at(long nanos, Runnable task) {
            if (timersFailing > 0) {
                timersFailing--;
                throw new OutOfMemoryError("on purpose");
            }
            due = task;
            timers = 1;
            return () -> {
                due = () -> {};
                timers = 0;
            };
        }

        @Override
        public void callback(Runnable callback) {
            if (failing) {
                failing = false;
                throw new OutOfMemoryError("on purpose");
            }
            checks++;
            callbacks.add(callback);
        }
    }
}
