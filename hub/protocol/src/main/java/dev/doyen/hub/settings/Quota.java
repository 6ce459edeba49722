package dev.doyen.hub.settings;

/**
 * The maximum use of one owner on one node. An owner is a key, a client or an address.
 *
 * @param connections the maximum number of connections, with and without a socket
 * @param channels the maximum number of channels that the owner has created and the hub still stores
 * @param claims the maximum number of claims that are held or wait for a decision
 * @param claimsPerMinute the average number of claims per minute that the hub passes to the store; the same number is
 *     allowed at once
 * @param presenceBytes the maximum size of all members in bytes
 * @param messagesPerSecond the number of messages and presence messages per second that clients may send over
 *     WebSockets; five times as many are allowed at once
 */
public record Quota(
        int connections, int channels, int claims, int claimsPerMinute, long presenceBytes, int messagesPerSecond) {

    /** The highest value of each number in a quota, except {@link #presenceBytes}. */
    public static final int MAX = 1_000_000;

    /** The highest value of {@link #presenceBytes}. */
    public static final long MAX_BYTES = 1L << 40;

    /** The quota with the highest values, which restricts nothing in practice. */
    public static final Quota UNLIMITED = new Quota(MAX, MAX, MAX, MAX, MAX_BYTES, MAX);

    public Quota withConnections(int value) {
        return new Quota(value, channels, claims, claimsPerMinute, presenceBytes, messagesPerSecond);
    }

    public Quota withChannels(int value) {
        return new Quota(connections, value, claims, claimsPerMinute, presenceBytes, messagesPerSecond);
    }

    public Quota withClaims(int value) {
        return new Quota(connections, channels, value, claimsPerMinute, presenceBytes, messagesPerSecond);
    }

    public Quota withClaimsPerMinute(int value) {
        return new Quota(connections, channels, claims, value, presenceBytes, messagesPerSecond);
    }

    public Quota withPresenceBytes(long value) {
        return new Quota(connections, channels, claims, claimsPerMinute, value, messagesPerSecond);
    }

    public Quota withMessagesPerSecond(int value) {
        return new Quota(connections, channels, claims, claimsPerMinute, presenceBytes, value);
    }

    void check(String of) {
        SettingsRules.positive(
                SettingsRules.amount("connections" + of, connections),
                SettingsRules.amount("channels" + of, channels),
                SettingsRules.amount("claims" + of, claims),
                SettingsRules.amount("claimsPerMinute" + of, claimsPerMinute),
                SettingsRules.amount("presenceBytes" + of, presenceBytes),
                SettingsRules.amount("messagesPerSecond" + of, messagesPerSecond));
    }
}
