package dev.doyen.driver;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Stores the inputs that the loop must pass to the machine again. These are an input that the machine could not
 * process, and all later inputs.
 *
 * <p>A machine fails to process an input if it throws an exception, for example because memory was short for a moment.
 * The queue passes the inputs to the machine again, in order, so a short fault loses no resignation or campaign (rule
 * L8). The queue drops an input after {@value #MAX_TRIES} tries. If more than {@value #MAX_WAITING} inputs wait, the
 * queue drops the oldest input.
 *
 * <p>Threads: the loop thread.
 */
public final class InputQueue {

    static final int MAX_TRIES = 5;
    static final int MAX_WAITING = 16;

    /**
     * The waiting inputs. The field is null until an input fails. This saves memory in a process with 100,000 loops.
     */
    private @Nullable Deque<BooleanSupplier> waiting;

    /** The number of times that the first input has been tried. */
    private int tries;

    /**
     * Processes an input after all waiting inputs.
     *
     * @param input the function that passes the input to the machine and returns true if the machine has processed the
     *     input; it must not throw. If the result is false, the caller must call {@link #takeWaiting} or this method
     *     later.
     * @return true if the queue has dropped an input that the machine has not processed
     */
    public boolean take(BooleanSupplier input) {
        if (waiting == null) {
            if (!input.getAsBoolean()) {
                waiting = new ArrayDeque<>();
                waiting.addLast(input);
                tries = 1;
            }
            return false;
        }
        boolean isFull = waiting.size() >= MAX_WAITING;
        if (isFull) {
            removeFirst(waiting);
        }
        waiting.addLast(input);
        return takeWaiting() || isFull;
    }

    /**
     * Tries the waiting inputs again. Returns true if the queue has dropped an input that the machine has not
     * processed.
     */
    public boolean takeWaiting() {
        Deque<BooleanSupplier> inputs = waiting;
        if (inputs == null) {
            return false;
        }
        boolean dropped = false;
        for (BooleanSupplier first = inputs.peekFirst(); first != null; first = inputs.peekFirst()) {
            tries++;
            boolean processed = first.getAsBoolean();
            if (!processed && tries < MAX_TRIES) {
                return dropped;
            }
            dropped |= !processed;
            removeFirst(inputs);
        }
        waiting = null;
        return dropped;
    }

    /** Returns true if no input waits. */
    public boolean isEmpty() {
        return waiting == null;
    }

    private void removeFirst(Deque<BooleanSupplier> inputs) {
        inputs.removeFirst();
        tries = 0;
    }
}
