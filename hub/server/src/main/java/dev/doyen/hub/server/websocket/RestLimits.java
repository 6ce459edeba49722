package dev.doyen.hub.server.websocket;

/**
 * The limits of requests to the hub's REST API.
 *
 * @param maxWaiting the maximum number of requests that wait for their answers
 * @param maxWaitingBytes the maximum size of the bodies of all waiting requests together, in bytes
 * @param answerMillis the time limit of an answer in milliseconds. It is below the 10 s timeout of the SDKs, so an SDK
 *     receives the hub's error before that timeout
 */
public record RestLimits(int maxWaiting, int maxWaitingBytes, long answerMillis) {

    public static final RestLimits DEFAULT = new RestLimits(1_000, 16 << 20, 8_000);

    public RestLimits {
        if (maxWaiting < 1 || maxWaitingBytes < 1 || answerMillis < 1) {
            throw new IllegalArgumentException("every limit of requests must be positive");
        }
    }
}
