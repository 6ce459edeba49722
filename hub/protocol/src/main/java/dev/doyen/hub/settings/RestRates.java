package dev.doyen.hub.settings;

import dev.doyen.hub.ratelimit.RateLimits;

/**
 * The rate limits of one HTTP caller on one node. {@link RateLimits} defines which requests count together.
 *
 * @param messagesPerSecond the number of messages that a caller may publish per second
 * @param messagesAtOnce the number of messages that a caller may publish at once
 * @param requestsPerSecond the number of other requests that a caller may send per second
 * @param requestsAtOnce the number of other requests that a caller may send at once
 * @param maxCallers the maximum number of authenticated callers that the hub counts separately; also the maximum number
 *     of addresses that it counts separately
 */
public record RestRates(
        int messagesPerSecond, int messagesAtOnce, int requestsPerSecond, int requestsAtOnce, int maxCallers) {

    /**
     * The default limits. They far exceed the needs of the official SDKs' test suites, and are far below the capacity
     * of a hub.
     */
    public static final RestRates DEFAULT = new RestRates(1_000, 5_000, 500, 2_500, 10_000);

    public RestRates withMessagesPerSecond(int value) {
        return new RestRates(value, messagesAtOnce, requestsPerSecond, requestsAtOnce, maxCallers);
    }

    public RestRates withMessagesAtOnce(int value) {
        return new RestRates(messagesPerSecond, value, requestsPerSecond, requestsAtOnce, maxCallers);
    }

    public RestRates withRequestsPerSecond(int value) {
        return new RestRates(messagesPerSecond, messagesAtOnce, value, requestsAtOnce, maxCallers);
    }

    public RestRates withRequestsAtOnce(int value) {
        return new RestRates(messagesPerSecond, messagesAtOnce, requestsPerSecond, value, maxCallers);
    }

    public RestRates withMaxCallers(int value) {
        return new RestRates(messagesPerSecond, messagesAtOnce, requestsPerSecond, requestsAtOnce, value);
    }

    /** Checks the final values, because intermediate states of a builder can be inconsistent. */
    void check() {
        SettingsRules.positive(
                SettingsRules.amount("restMessagesPerSecond", messagesPerSecond),
                SettingsRules.amount("restMessagesAtOnce", messagesAtOnce),
                SettingsRules.amount("restRequestsPerSecond", requestsPerSecond),
                SettingsRules.amount("restRequestsAtOnce", requestsAtOnce),
                SettingsRules.amount("maxRestCallers", maxCallers));
        SettingsRules.atLeast("restMessagesAtOnce", messagesAtOnce, "restMessagesPerSecond", messagesPerSecond);
        SettingsRules.atLeast("restRequestsAtOnce", requestsAtOnce, "restRequestsPerSecond", requestsPerSecond);
    }
}
