package dev.doyen.micrometer;

import dev.doyen.testkit.ManualThreads;
import io.micrometer.core.instrument.Clock;

/** The registry's clock, which the test moves. */
record ManualClock(ManualThreads threads) implements Clock {
    @Override
    public long wallTime() {
        return threads.now().wallMillis();
    }

    @Override
    public long monotonicTime() {
        return threads.now().nanos();
    }
}
