package dev.doyen.driver;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps inputs on which a machine has failed, and the inputs after them, in order.
 *
 * <p>They are tried again, so that no resignation or campaign is lost because memory was short for a moment (rule L8).
 * An input is dropped after {@value #MAX_TRIES} tries. At most {@value #MAX_WAITING} inputs wait; the oldest is dropped
 * first.
 *
 * <p>Threads: the loop thread.
 */
public final class InputQueue {

    static final int MAX_TRIES = 5;
    static final int MAX_WAITING = 16;

    /** Null until an input fails, because a process may have 100,000 loops. */
    private @Nullable Deque<BooleanSupplier> waiting;

    /** How often the first input has been tried. */
    private int tries;

    /**
     * Processes an input after all that wait.
     *
     * @param input passes the input to the machine and returns true if the machine has processed it; throws nothing. If
     *     it returns false, the caller calls {@link #takeWaiting} or this method later.
     */
    public void take(BooleanSupplier input) {
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

    /** Tries the waiting inputs again. */
    public void takeWaiting() {
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
