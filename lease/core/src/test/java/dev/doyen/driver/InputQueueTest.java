package dev.doyen.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class InputQueueTest { // L8

    private final InputQueue queue = new InputQueue();
    private final List<String> taken = new ArrayList<>();
    private int failures;
    private int tries;

    @Test
    void inputs_are_processed_in_order_although_the_first_fails() {
        failures = 2;
        queue.take(input("a"));
        queue.take(input("b"));
        assertThat(taken).isEmpty();
        assertThat(queue.isEmpty()).isFalse();
        assertThat(queue.takeWaiting()).as("an input was dropped").isFalse();
        assertThat(queue.isEmpty()).isTrue();
        assertThat(taken).containsExactly("a", "b");
        queue.takeWaiting();
        assertThat(taken).containsExactly("a", "b");
    }

    @Test
    void an_input_is_dropped_after_its_last_attempt() {
        failures = InputQueue.MAX_TRIES;
        queue.take(input("a"));
        queue.take(input("b"));
        takeWaitingUntil(InputQueue.MAX_TRIES - 1);
        assertThat(taken).isEmpty();
        assertThat(queue.takeWaiting()).as("an input was dropped").isTrue();
        assertThat(tries).isEqualTo(InputQueue.MAX_TRIES + 1);
        assertThat(taken).containsExactly("b");
    }

    @Test
    void each_input_has_all_its_attempts() {
        failures = 2 * InputQueue.MAX_TRIES - 1;
        queue.take(input("a"));
        queue.take(input("b"));
        takeWaitingUntil(2 * InputQueue.MAX_TRIES - 1);
        assertThat(taken).isEmpty();
        queue.takeWaiting();
        assertThat(taken).containsExactly("b");
    }

    @Test
    void the_oldest_input_is_dropped_above_the_limit() {
        failures = 1;
        queue.take(input("0"));
        // Each further input makes the queue try the first waiting input again. All these attempts fail.
        failures = Integer.MAX_VALUE;
        int inputs = 10 * InputQueue.MAX_WAITING;
        for (int i = 1; i < inputs; i++) {
            queue.take(input("" + i));
        }
        failures = 0;
        queue.takeWaiting();

        assertThat(taken).hasSize(InputQueue.MAX_WAITING).endsWith("" + (inputs - 1));
    }

    private void takeWaitingUntil(int triesOfAll) {
        while (tries < triesOfAll) {
            int before = tries;
            queue.takeWaiting();
            assertThat(tries).isGreaterThan(before);
        }
    }

    private BooleanSupplier input(String name) {
        return () -> {
            tries++;
            if (failures > 0) {
                failures--;
                return false;
            }
            taken.add(name);
            return true;
        };
    }
}
