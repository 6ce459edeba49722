package dev.doyen.hub.server.websocket;

import java.time.Duration;

/**
 * Spreads the clients of one drain evenly over its ticks.
 *
 * <p>Each tick disconnects at least one client while clients remain, so the drain of a few clients ends early.
 */
final class DrainRate {

    static final long TICK_MILLIS = 50;

    private long ticksLeft;
    private boolean hurried;

    DrainRate(Duration over) {
        ticksLeft = over.toMillis() / TICK_MILLIS;
    }

    /**
     * Returns the number of clients to disconnect at this tick. The last tick disconnects all {@code waiting} clients.
     */
    int next(int waiting) {
        long ticks = hurried ? 1 : Math.max(1, ticksLeft);
        ticksLeft = ticks - 1;
        return Math.toIntExact((waiting + ticks - 1) / ticks);
    }

    /** Makes the next tick the last tick. */
    void hurry() {
        hurried = true;
    }
}
