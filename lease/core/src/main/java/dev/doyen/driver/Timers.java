package dev.doyen.driver;

import dev.doyen.election.Threads;

/** Sets timers that must not be lost. */
final class Timers {

    private Timers() {}

    /**
     * Sets a timer like {@link Threads#at}.
     *
     * <p>If the attempt throws, for example because memory is short for a moment, the method logs the fault and tries
     * once more (rule L8).
     */
    static Threads.Timer at(Threads threads, EventLog log, long nanos, Runnable task) {
        try {
            return threads.at(nanos, task);
        } catch (Throwable e) {
            log.fault("", "a timer failed", e);
            return threads.at(nanos, task);
        }
    }
}
