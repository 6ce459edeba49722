package dev.doyen.server.websocket;

/**
 * What requests to the hub may cost.
 *
 * @param maxWaiting how many may wait for their answers at once
 * @param maxWaitingBytes the same, in bytes of their bodies
 * @param answerMillis how long one may wait; less than the 10 s after which SDKs give up, so that they hear why
 */
public record RestLimits(int maxWaiting, int maxWaitingBytes, long answerMillis) {

    public static final RestLimits DEFAULT = new RestLimits(1_000, 16 << 20, 8_000);

    public RestLimits {
        if (maxWaiting < 1 || maxWaitingBytes < 1 || answerMillis < 1) {
            throw new IllegalArgumentException("every limit of requests must be positive");
        }
    }
}
