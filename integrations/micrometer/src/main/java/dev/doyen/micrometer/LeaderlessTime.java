package dev.doyen.micrometer;

import java.util.function.LongSupplier;

/**
 * Measures the total time without a known leader. The measurement starts when this object is created, before the first
 * event.
 */
final class LeaderlessTime {

    private final LongSupplier nanoClock;
    private long totalNanos;
    private long since;
    private boolean running = true;

    LeaderlessTime(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
        this.since = nanoClock.getAsLong();
    }

    synchronized void leads(boolean somebody) {
        addUp();
        running = !somebody;
    }

    synchronized double seconds() {
        addUp();
        return totalNanos / 1e9;
    }

    private void addUp() {
        long now = nanoClock.getAsLong();
        if (running) {
            totalNanos += now - since;
        }
        since = now;
    }
}
