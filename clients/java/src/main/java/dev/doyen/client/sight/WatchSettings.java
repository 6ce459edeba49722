package dev.doyen.client.sight;

/**
 * How an election is watched. All times in nanoseconds.
 *
 * @param self the name this process stands under
 * @param maxAgeNanos how old the last word may be
 * @param whenUnknown what is so after that
 * @param timeoutNanos within which a stream must begin
 * @param canAsk whether single questions can be put too
 */
public record WatchSettings(String self, long maxAgeNanos, WhenUnknown whenUnknown, long timeoutNanos, CanAsk canAsk) {

    /** Whether an address for single questions is known. */
    public enum CanAsk {
        YES,
        NO
    }

    /** A stream that says nothing for so long is asked about. */
    long silenceNanos() {
        return maxAgeNanos / 2;
    }
}
