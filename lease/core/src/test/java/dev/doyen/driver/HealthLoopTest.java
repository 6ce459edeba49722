package dev.doyen.driver;

import static org.assertj.core.api.Assertions.assertThat;
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

/** Tests which results of a check count as failures. */
class HealthLoopTest {

    private final ByHand threads = new ByHand();
    private final List<Boolean> eligibilityChanged = new ArrayList<>();

    private HealthLoop loop(boolean answer) {
        return new HealthLoop(
                threads, () -> answer, Duration.ofSeconds(1), HealthJudge.begin(3, 2), eligibilityChanged::add);
    }

    @Test
    void a_check_that_hangs_counts_as_no_each_time_it_should_have_been_asked_again() {
        loop(true).start();
        threads.answer();
        threads.tick();
        assertThat(eligibilityChanged).containsExactly(true);

        for (int i = 0; i < 2; i++) {
            threads.tick();
        }
        assertThat(eligibilityChanged).as("two no are not enough").containsExactly(true);
        threads.tick();

        assertThat(eligibilityChanged).containsExactly(true, false);
        assertThat(threads.asked)
                .as("a check that hangs is not asked a second time")
                .isEqualTo(2);
    }

    @Test
    void after_its_end_nothing_is_asked_and_nothing_is_said() {
        HealthLoop loop = loop(true);
        loop.start();
        loop.end();
        assertThat(threads.timers).as("timers that are left").isZero();
        threads.answer();
        threads.tick();

        assertThat(eligibilityChanged).isEmpty();
        assertThat(threads.asked).isEqualTo(1);
    }

    @Test
    void it_can_end_before_it_has_begun() {
        HealthLoop loop = loop(true);
        loop.end();
        loop.start();

        assertThat(threads.asked).isZero();
    }

    @Test
    void a_check_that_could_not_be_asked_is_asked_the_next_time() { // L8
        threads.failing = true;
        HealthLoop loop = loop(true);
        assertThatThrownBy(loop::start).isInstanceOf(OutOfMemoryError.class);
        threads.tick();
        threads.answerAll();

        assertThat(eligibilityChanged).containsExactly(true);
    }

    @Test
    void a_change_of_which_nobody_could_be_told_is_told_with_the_next_answer() { // L8
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
            askAgain(5);
            assertThat(lines).hasSize(1);
            failing.set(false);
            askAgain(1);
            assertThat(eligibilityChanged).as("the next turn happens").containsExactly(true);
            failing.set(true);
            askAgain(5);
        } finally {
            Logger.getLogger("dev.doyen").removeHandler(log);
        }

        assertThat(lines).hasSize(2).allMatch(line -> line.startsWith("a health check failed, which counts as no"));
    }

    private void askAgain(int times) {
        for (int i = 0; i < times; i++) {
            threads.tick();
            threads.answerAll();
        }
    }

    /** Runs loop tasks at once, the timer at each tick, and a callback at each answer. */
    private static final class ByHand extends OneThread {
        private final Deque<Runnable> callbacks = new ArrayDeque<>();
        private Runnable due = () -> {};
        private int asked;
        private int timers;
        private boolean failing;

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
            asked++;
            callbacks.add(callback);
        }
    }
}
