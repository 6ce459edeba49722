package dev.doyen.stores.quorum;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.TimeUnit;

/**
 * MicroRaft's clock, which runs {@link RaftTime#FACTOR} times as fast as real time. The clock never goes back.
 *
 * <p>Threads: the thread of {@link RaftTime}.
 */
final class RaftClock extends Clock {

    private final RaftTime time;
    private long skipped;

    RaftClock(RaftTime time) {
        this.time = time;
    }

    @Override
    public long millis() {
        return TimeUnit.NANOSECONDS.toMillis(time.nanos() * RaftTime.FACTOR) + skipped;
    }

    /** Advances the clock by this number of MicroRaft's milliseconds. */
    void skip(long millis) {
        skipped += millis;
    }

    @Override
    public Instant instant() {
        return Instant.ofEpochMilli(millis());
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
