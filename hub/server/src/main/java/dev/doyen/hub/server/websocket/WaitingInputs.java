package dev.doyen.hub.server.websocket;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts the waiting inputs of a session, and pauses reading if too many wait.
 *
 * <p>The event loop of the socket calls {@link #add}, and the hub's thread calls {@link #taken}.
 */
final class WaitingInputs {

    private final SessionLimits limits;
    private final Runnable adjustReading;
    private final AtomicInteger inputs = new AtomicInteger();
    private final AtomicInteger bytes = new AtomicInteger();
    private final AtomicBoolean paused = new AtomicBoolean();

    /**
     * Creates the counter of one session.
     *
     * @param adjustReading the action that starts or stops reading the socket, according to {@link #paused} at the time
     *     of the call
     */
    WaitingInputs(SessionLimits limits, Runnable adjustReading) {
        this.limits = limits;
        this.adjustReading = adjustReading;
    }

    boolean paused() {
        return paused.get();
    }

    void add(int inputBytes) {
        int nowInputs = inputs.incrementAndGet();
        int nowBytes = bytes.addAndGet(inputBytes);
        boolean tooMany = nowInputs >= limits.maxWaitingInputs() || nowBytes >= limits.maxWaitingBytes();
        if (tooMany && paused.compareAndSet(false, true)) {
            adjustReading.run();
            // Perhaps the hub has taken all inputs in the meantime. In that case no later call would resume reading.
            goOnIfFew();
        }
    }

    void taken(int inputBytes) {
        inputs.decrementAndGet();
        bytes.addAndGet(-inputBytes);
        goOnIfFew();
    }

    private void goOnIfFew() {
        boolean few = inputs.get() <= limits.maxWaitingInputs() / 4 && bytes.get() <= limits.maxWaitingBytes() / 4;
        if (few && paused.compareAndSet(true, false)) {
            adjustReading.run();
        }
    }
}
