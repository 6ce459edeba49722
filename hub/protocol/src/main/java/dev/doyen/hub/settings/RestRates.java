package dev.doyen.hub.settings;

import dev.doyen.hub.ratelimit.RateLimits;

/**
 * Rate limits of one HTTP caller, per node. {@link RateLimits} defines which requests count together.
 *
 * @param messagesPerSecond messages that a caller may publish per second
 * @param messagesAtOnce messages that a caller may publish at once
 * @param requestsPerSecond other requests per second
 * @param requestsAtOnce other requests at once
 * @param maxCallers number of authenticated callers that are counted separately, and of addresses
 */
public record RestRates(
        int messagesPerSecond, int messagesAtOnce, int requestsPerSecond, int requestsAtOnce, int maxCallers) {

    /** Far more than the official SDKs' test suites need, far less than a hub can handle. */
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

    /** Checks the final values. Intermediate states of a builder may be inconsistent. */
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
