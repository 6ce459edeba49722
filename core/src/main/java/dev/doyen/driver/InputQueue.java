package dev.doyen.driver;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the inputs that a machine failed on, and those that came after them. They are tried again in their order, so that
 * no resignation and no wish to lead is lost because memory was short for a moment (rule L8).
 *
 * <p>An input is dropped after {@value #MAX_TRIES} tries. At most {@value #MAX_WAITING} inputs wait; beyond that, the
 * oldest is dropped.
 *
 * <p>Threads: the loop thread.
 */
final class InputQueue {

    static final int MAX_TRIES = 5;
    static final int MAX_WAITING = 16;

    /** Absent until an input fails: a process may have a hundred thousand loops. */
    private @Nullable Deque<BooleanSupplier> waiting;

    /** How often the first of them has been tried. */
    private int tries;

    /**
     * Takes an input after all that wait.
     *
     * @param input hands the input to the machine, and returns whether the machine has taken it; if not, the caller calls
     *     {@link #takeWaiting} or this method later. Throws nothing
     */
    void take(BooleanSupplier input) {
        if (waiting == null) {
            if (!input.getAsBoolean()) {
                waiting = new ArrayDeque<>();
                waiting.addLast(input);
                tries = 1;
            }
            return;
        }
        if (waiting.size() >= MAX_WAITING) {
            dropFirst(waiting);
        }
        waiting.addLast(input);
        takeWaiting();
    }

    /** Tries again what waits. */
    void takeWaiting() {
        Deque<BooleanSupplier> inputs = waiting;
        if (inputs == null) {
            return;
        }
        for (BooleanSupplier first = inputs.peekFirst(); first != null; first = inputs.peekFirst()) {
            tries++;
            if (!first.getAsBoolean() && tries < MAX_TRIES) {
                return;
            }
            dropFirst(inputs);
        }
        waiting = null;
    }

    private void dropFirst(Deque<BooleanSupplier> inputs) {
        inputs.removeFirst();
        tries = 0;
    }
}
