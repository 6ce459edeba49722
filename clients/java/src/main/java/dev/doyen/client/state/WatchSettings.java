package dev.doyen.client.state;

/**
 * The settings of a watch. All times are in nanoseconds.
 *
 * @param self this process's candidate name
 * @param maxAgeNanos the maximum age of an answer
 * @param whenUnknown what an outdated answer means
 * @param timeoutNanos the time within which a stream must begin
 * @param canAsk whether the client can send single questions too
 */
public record WatchSettings(String self, long maxAgeNanos, WhenUnknown whenUnknown, long timeoutNanos, CanAsk canAsk) {

    /** Whether the client knows an address for single questions. */
    public enum CanAsk {
        YES,
        NO
    }

    /** Returns the silence of a stream after which the machine sends a question. */
    long silenceNanos() {
        return maxAgeNanos / 2;
    }
}
