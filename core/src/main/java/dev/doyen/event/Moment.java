package dev.doyen.event;

/**
 * One reading of both clocks, taken by a driver once per input and carried into a machine.
 *
 * <p>Durations are always measured on {@code nanos}. The wall clock serves two ends only: it is shown to people, and it
 * betrays a suspended machine, whose monotonic clock stood still while the world went on (rule L4).
 *
 * @param nanos {@link System#nanoTime()}: an arbitrary origin, compared by subtraction only
 * @param wallMillis {@link System#currentTimeMillis()}: milliseconds since the epoch, may jump either way
 */
public record Moment(long nanos, long wallMillis) {

    /** Nanoseconds from {@code earlier} to this moment on the monotonic clock. */
    public long nanosSince(Moment earlier) {
        return nanos - earlier.nanos;
    }

    /** Milliseconds from {@code earlier} to this moment on the wall clock; negative if it was set back. */
    public long wallMillisSince(Moment earlier) {
        return wallMillis - earlier.wallMillis;
    }
}
