package dev.doyen.stores.quorum;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class SendQueueTest {

    private final TestLimits limits = new TestLimits();

    @Test
    void frames_above_the_number_limit_are_rejected() {
        limits.queuedFrames = 2;
        var queue = new SendQueue(limits.made());
        assertThat(queue.offer(new byte[1])).isTrue();
        assertThat(queue.offer(new byte[2])).isTrue();
        assertThat(queue.offer(new byte[3])).isFalse();

        assertThat(queue.poll()).hasSize(1);
        assertThat(queue.offer(new byte[4])).isTrue();
        assertThat(queue.poll()).hasSize(2);
        assertThat(queue.poll()).hasSize(4);
        assertThat(queue.poll()).isNull();
    }

    @Test
    void frames_above_the_byte_limit_are_rejected() {
        limits.queuedBytes = 10;
        var queue = new SendQueue(limits.made());
        assertThat(queue.offer(new byte[11])).isFalse();
        assertThat(queue.offer(new byte[6])).isTrue();
        assertThat(queue.offer(new byte[5])).isFalse();
        assertThat(queue.offer(new byte[4])).isTrue();

        assertThat(queue.poll()).hasSize(6);
        assertThat(queue.offer(new byte[7])).isFalse();
        assertThat(queue.offer(new byte[6])).isTrue();
        queue.clear();
        assertThat(queue.poll()).isNull();
        assertThat(queue.offer(new byte[10])).isTrue();
    }

    @Test
    void a_wait_ends_with_a_frame_at_the_end_or_after_its_limit() throws Exception {
        var queue = new SendQueue(limits.made());
        var isEnded = new AtomicBoolean();
        queue.await(Duration.ofMillis(1), isEnded::get);

        var waited = new CompletableFuture<Integer>();
        new Thread(() -> {
                    try {
                        queue.await(Duration.ofDays(1), isEnded::get);
                        int first = queue.poll().length;
                        queue.await(Duration.ofDays(1), isEnded::get);
                        waited.complete(first);
                    } catch (InterruptedException e) {
                        waited.completeExceptionally(e);
                    }
                })
                .start();
        queue.offer(new byte[3]);
        isEnded.set(true);
        queue.wake();
        assertThat(waited.get(60, TimeUnit.SECONDS)).isEqualTo(3);
    }
}
