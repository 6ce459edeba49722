package dev.doyen.candidate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.LeaseLeadership;
import dev.doyen.election.NotLeaderException;
import dev.doyen.event.SavedState;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests rule L6: how the work of a term ends, and when the end is reported.
 *
 * <p>The task runs on the thread of the test.
 */
class TermScopeTest {

    private final List<String> reported = new ArrayList<>();
    private final FixedLeadership leadership = new FixedLeadership();
    private final TermScope<FixedLeadership> scope = new TermScope<>(
            "orders", leadership, 7, term -> reported.add("resigned " + term), term -> reported.add("quiet " + term));

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    @Test
    void a_task_that_returns_while_leading_resigns_the_term() throws Exception {
        assertThat(scope.run(given -> assertThat(given).isSameAs(leadership))).isTrue();
        assertThat(reported).containsExactly("resigned 7");
    }

    @Test
    void the_end_interrupts_the_task_and_is_reported_after_the_task() throws Exception {
        boolean led = scope.run(given -> {
            scope.end();
            assertThat(Thread.interrupted()).isTrue();
            scope.listenersDone();
            assertThat(reported).isEmpty();
        });
        assertThat(led).as("the term was lost before the task returned").isFalse();
        assertThat(reported).containsExactly("quiet 7");
    }

    @Test
    void the_end_is_reported_after_the_listeners_if_they_return_last() throws Exception {
        scope.run(given -> scope.end());
        assertThat(reported).isEmpty();
        scope.listenersDone();
        assertThat(reported).containsExactly("quiet 7");
    }

    @Test
    void no_task_starts_under_a_term_that_has_ended() throws Exception {
        scope.end();
        scope.listenersDone();
        assertThat(scope.run(given -> reported.add("started"))).isFalse();
        assertThat(reported).containsExactly("quiet 7");
    }

    @Test
    void a_late_interrupt_of_the_task_does_not_reach_the_caller() throws Exception {
        scope.run(given -> scope.end());
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
    }

    @Test
    void an_interrupt_of_another_thread_reaches_the_caller() throws Exception {
        scope.run(given -> Thread.currentThread().interrupt());
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
    }

    @Test
    void a_task_interrupted_by_another_thread_fails_even_after_its_term() {
        assertThatThrownBy(() -> scope.run(given -> {
                    leadership.certain = false;
                    throw new InterruptedException("interrupted by another thread");
                }))
                .isInstanceOf(InterruptedException.class)
                .hasMessage("interrupted by another thread");
        assertThat(reported).containsExactly("resigned 7");
    }

    @Test
    void a_task_that_fails_after_the_loss_is_logged() throws Exception {
        assertThat(logged(new IOException("disk full")))
                .containsExactly("election=orders the task of term 7 failed after the leadership was lost");
    }

    @Test
    void a_task_that_stops_because_of_the_loss_has_not_failed() throws Exception {
        assertThat(logged(new NotLeaderException("orders", 7))).isEmpty();
    }

    @Test
    void a_task_that_is_interrupted_by_the_end_has_not_failed() throws Exception {
        assertThat(logged(new InterruptedException())).isEmpty();
    }

    /** Returns the log lines of a task that throws this exception after the loss of the term. */
    private List<String> logged(Exception thrown) throws Exception {
        var lines = new ArrayList<String>();
        var handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                if (thrown.equals(line.getThrown())) {
                    lines.add(line.getMessage());
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        Logger logger = Logger.getLogger("dev.doyen");
        logger.addHandler(handler);
        try {
            assertThat(scope.run(given -> {
                        scope.end();
                        throw thrown;
                    }))
                    .isFalse();
        } finally {
            logger.removeHandler(handler);
        }
        return lines;
    }

    /** A leadership of term 7. The test sets whether the leadership is certain. */
    private static final class FixedLeadership implements LeaseLeadership {
        private boolean certain = true;

        @Override
        public long term() {
            return 7;
        }

        @Override
        public boolean isCertain() {
            return certain;
        }

        @Override
        public Duration remaining() {
            throw new UnsupportedOperationException();
        }

        @Override
        public SavedState state() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void save(SavedState state) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void check() {
            throw new UnsupportedOperationException();
        }
    }
}
