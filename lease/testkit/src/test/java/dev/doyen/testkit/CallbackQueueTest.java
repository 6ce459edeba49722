package dev.doyen.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.driver.CallbackQueue;
import dev.doyen.election.Threads;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests rule L8: later callbacks run even if a callback throws or a thread cannot be started. */
class CallbackQueueTest {

    private final ManualThreads threads = new ManualThreads();
    private final List<String> ran = new ArrayList<>();
    private boolean refusing;

    /** The number of threads that the queue has received. */
    private int taken;

    private final CallbackQueue queue = new CallbackQueue((Threads) Proxy.newProxyInstance(
            Threads.class.getClassLoader(), new Class<?>[] {Threads.class}, (on, called, with) -> {
                if (refusing) {
                    throw new OutOfMemoryError("unable to create native thread, on purpose");
                }
                taken++;
                return called.invoke(threads, with);
            }));

    @Test
    void a_callback_that_throws_is_logged_and_the_next_one_runs() {
        try (var log = new LogLines("a listener failed")) {
            queue.offer(() -> {
                throw new IllegalStateException("on purpose");
            });
            queue.offer(() -> ran.add("second"));
            threads.settle();

            assertThat(ran).containsExactly("second");
            assertThat(log.lines()).containsExactly("a listener failed; the other listeners are called");
        }
    }

    @Test
    void waiting_callbacks_share_one_thread() {
        queue.offer(() -> ran.add("first"));
        queue.offer(() -> ran.add("second"));
        threads.settle();

        assertThat(ran).containsExactly("first", "second");
        assertThat(taken).isEqualTo(1);
    }

    @Test
    void a_callback_without_a_thread_runs_before_the_next_one() {
        refusing = true;
        assertThatThrownBy(() -> queue.offer(() -> ran.add("first"))).isInstanceOf(OutOfMemoryError.class);
        refusing = false;
        queue.offer(() -> ran.add("second"));
        threads.settle();

        assertThat(ran).containsExactly("first", "second");
    }
}
