package dev.doyen.hub.server.websocket;

/**
 * Limits of the requests to the hub's REST API.
 *
 * @param maxWaiting how many requests may wait for their answers at once
 * @param maxWaitingBytes how many bytes their bodies may have together
 * @param answerMillis how long a request may wait; less than the 10 s after which SDKs give up, so that they receive
 *     the reason
 */
public record RestLimits(int maxWaiting, int maxWaitingBytes, long answerMillis) {

    public static final RestLimits DEFAULT = new RestLimits(1_000, 16 << 20, 8_000);

    public RestLimits {
        if (maxWaiting < 1 || maxWaitingBytes < 1 || answerMillis < 1) {
            throw new IllegalArgumentException("every limit of requests must be positive");
        }
    }
}
