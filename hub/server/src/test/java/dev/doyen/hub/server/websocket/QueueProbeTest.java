package dev.doyen.hub.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class QueueProbeTest {

    private final Queue<Runnable> queue = new ArrayDeque<>();
    private long now = 5;
    private final QueueProbe probe = new QueueProbe(queue::add, () -> now, Duration.ofNanos(100));

    @Test
    void a_queue_that_is_processed_in_time_is_good() {
        for (int i = 0; i < 3; i++) {
            assertThat(probe.isProcessed()).isTrue();
            now += 100;
            assertThat(probe.isProcessed()).isTrue();
            assertThat(queue).as("the queue contains one task of the probe").hasSize(1);
            queue.remove().run();
            now += 1_000;
        }
    }

    @Test
    void a_queue_that_is_not_processed_is_bad_until_it_is_processed() {
        assertThat(probe.isProcessed()).isTrue();
        now += 101;
        assertThat(probe.isProcessed()).isFalse();
        queue.remove().run();
        assertThat(probe.isProcessed()).isTrue();
    }

    @Test
    void the_wait_of_the_task_rises_until_the_task_is_processed() {
        assertThat(probe.waitingNanos()).isZero();
        probe.isProcessed();
        now += 40;
        probe.isProcessed();
        now += 2;
        assertThat(probe.waitingNanos()).isEqualTo(42);
        queue.remove().run();
        assertThat(probe.waitingNanos()).isZero();
    }

    @Test
    void a_queue_that_has_ended_is_not_bad() {
        var ended = new QueueProbe(
                task -> {
                    throw new RejectedExecutionException();
                },
                () -> now,
                Duration.ofNanos(100));
        assertThat(ended.isProcessed()).isTrue();
        now += 1_000;
        assertThat(ended.isProcessed()).isTrue();
    }

    @Test
    void a_task_that_could_not_be_queued_does_not_wait() {
        var failing = new AtomicBoolean(true);
        var failed = new QueueProbe(
                task -> {
                    if (failing.get()) {
                        throw new OutOfMemoryError("on purpose");
                    }
                    queue.add(task);
                },
                () -> now,
                Duration.ofNanos(100));
        assertThatThrownBy(failed::isProcessed).hasMessage("on purpose");
        now += 1_000;
        failing.set(false);
        assertThat(failed.isProcessed()).isTrue();
        assertThat(queue).hasSize(1);
    }
}
