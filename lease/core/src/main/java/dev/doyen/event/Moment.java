package dev.doyen.event;

/**
 * One reading of both clocks. A driver creates one moment for each input and passes it to a machine.
 *
 * <p>Machines measure durations with {@code nanos}. They write the wall-clock time into messages and records, for
 * people. Machines also check the wall clock, because the monotonic clock can stop while the computer is suspended
 * (rule L4).
 *
 * @param nanos the monotonic clock, {@link System#nanoTime()}. Its origin is arbitrary, so compare two values by
 *     subtraction only
 * @param wallMillis the wall clock, {@link System#currentTimeMillis()}: milliseconds since 1970. A user can set this
 *     clock forward or back
 */
public record Moment(long nanos, long wallMillis) {

    /** Returns the nanoseconds from {@code earlier} to this moment on the monotonic clock. */
    public long nanosSince(Moment earlier) {
        return nanos - earlier.nanos;
    }

    /**
     * Returns the milliseconds from {@code earlier} to this moment on the wall clock.
     *
     * <p>The result is negative if the wall clock was set back.
     */
    public long wallMillisSince(Moment earlier) {
        return wallMillis - earlier.wallMillis;
    }
}
