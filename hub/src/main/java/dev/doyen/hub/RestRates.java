package dev.doyen.hub;

/**
 * How fast one who asks by HTTP may ask, at each node. Whose requests count together, {@link Callers} says.
 *
 * @param messagesPerSecond messages one may publish each second
 * @param messagesAtOnce messages one may publish at once
 * @param requestsPerSecond other requests one may make each second
 * @param requestsAtOnce other requests one may make at once
 * @param maxCallers how many are counted apart: so many that have proved a key or token, and as many addresses
 */
public record RestRates(
        int messagesPerSecond, int messagesAtOnce, int requestsPerSecond, int requestsAtOnce, int maxCallers) {

    /** Far more than the official SDKs' own test suites need, and far less than what a hub can do. */
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

    /** When all are as they will be: on the way there, one may already be changed and the other not yet. */
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
