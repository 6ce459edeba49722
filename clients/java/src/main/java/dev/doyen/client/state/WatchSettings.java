package dev.doyen.client.state;

/**
 * The settings of a watch. All times are in nanoseconds.
 *
 * @param self this process's candidate name
 * @param maxAgeNanos the maximum age of an answer
 * @param whenUnknown the state that follows from an outdated answer
 * @param timeoutNanos the time within which a stream must begin
 * @param canRequest whether the client can also send single requests
 */
public record WatchSettings(
        String self, long maxAgeNanos, WhenUnknown whenUnknown, long timeoutNanos, CanRequest canRequest) {

    /** Whether the client can send single requests. It needs an address for such requests. */
    public enum CanRequest {
        YES,
        NO
    }

    /** Returns the silence of a stream after which the machine sends a request, in nanoseconds. */
    long silenceNanos() {
        return maxAgeNanos / 2;
    }
}
