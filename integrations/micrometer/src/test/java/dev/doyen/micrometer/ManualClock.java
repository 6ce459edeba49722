package dev.doyen.micrometer;

import dev.doyen.testkit.ManualThreads;
import io.micrometer.core.instrument.Clock;

/** The clock of the registry. The test advances this clock. */
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
