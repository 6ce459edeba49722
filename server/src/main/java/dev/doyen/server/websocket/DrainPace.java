package dev.doyen.server.websocket;

import java.time.Duration;

/**
 * How many clients are sent away at each tick, so that all are gone when the time is over, and few are not kept waiting.
 * One for each drain.
 */
final class DrainPace {

    static final long TICK_MILLIS = 50;

    private long ticksLeft;
    private boolean hurried;

    DrainPace(Duration over) {
        ticksLeft = over.toMillis() / TICK_MILLIS;
    }

    /** How many of {@code waiting} go at this tick; all of them at the last. */
    int next(int waiting) {
        long ticks = hurried ? 1 : Math.max(1, ticksLeft);
        ticksLeft = ticks - 1;
        return Math.toIntExact((waiting + ticks - 1) / ticks);
    }

    /** All others go at the next tick. */
    void hurry() {
        hurried = true;
    }
}
