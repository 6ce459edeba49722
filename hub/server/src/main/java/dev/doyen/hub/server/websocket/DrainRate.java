package dev.doyen.hub.server.websocket;

import java.time.Duration;

/**
 * Spreads the clients of one drain evenly over its ticks.
 *
 * <p>Each tick disconnects at least one client while any remain, so a few clients are done early.
 */
final class DrainRate {

    static final long TICK_MILLIS = 50;

    private long ticksLeft;
    private boolean hurried;

    DrainRate(Duration over) {
        ticksLeft = over.toMillis() / TICK_MILLIS;
    }

    /** How many of {@code waiting} clients to disconnect at this tick; all of them at the last tick. */
    int next(int waiting) {
        long ticks = hurried ? 1 : Math.max(1, ticksLeft);
        ticksLeft = ticks - 1;
        return Math.toIntExact((waiting + ticks - 1) / ticks);
    }

    /** Makes the next tick the last one. */
    void hurry() {
        hurried = true;
    }
}
