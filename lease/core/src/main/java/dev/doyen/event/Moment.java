package dev.doyen.event;

/**
 * One reading of both clocks. A driver takes one per input and passes it to a machine.
 *
 * <p>Durations are measured on {@code nanos}. The wall clock has two uses. It is shown to people, and it reveals a
 * suspended machine, whose monotonic clock may have stopped meanwhile (rule L4).
 *
 * @param nanos {@link System#nanoTime()}: an arbitrary origin, compared by subtraction only
 * @param wallMillis {@link System#currentTimeMillis()}: milliseconds since the epoch; may be set forward or back
 */
public record Moment(long nanos, long wallMillis) {

    /** Returns the nanoseconds from {@code earlier} to this moment on the monotonic clock. */
    public long nanosSince(Moment earlier) {
        return nanos - earlier.nanos;
    }

    /**
     * Returns the milliseconds from {@code earlier} to this moment on the wall clock.
     *
     * <p>Negative if the wall clock was set back.
     */
    public long wallMillisSince(Moment earlier) {
        return wallMillis - earlier.wallMillis;
    }
}
