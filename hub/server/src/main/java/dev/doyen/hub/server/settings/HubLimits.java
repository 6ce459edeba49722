package dev.doyen.hub.server.settings;

import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.settings.RestRates;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

/** The limits that a settings file can change, by their names in the file. */
public final class HubLimits {

    static final HubLimits NONE = new HubLimits(Map.of());

    private static final Duration LONGEST = Duration.ofDays(30);
    private static final int MANY = 1_000_000;
    /**
     * The maximum value of the message limit. This value is half of the longest frame, because encoding can double the
     * size of a message.
     */
    private static final int MAX_MESSAGE_BYTES = 256 * 1024;

    private static final Map<String, Limit> LIMITS = limits();

    /** The functions that read and print one limit. */
    private record Limit(Reader reader, Function<HubSettings, String> shown) {}

    @FunctionalInterface
    private interface Reader {
        Change read(Entry entry) throws SettingsException;
    }

    @FunctionalInterface
    private interface Change {
        void apply(HubSettings.Builder builder);
    }

    private final Map<String, Change> changes;

    private HubLimits(Map<String, Change> changes) {
        this.changes = changes;
    }

    static HubLimits of(Entry entry) throws SettingsException {
        var changes = new LinkedHashMap<String, Change>();
        for (var limit : entry.fields(LIMITS.keySet()).entrySet()) {
            changes.put(limit.getKey(), known(limit.getKey()).reader().read(limit.getValue()));
        }
        return new HubLimits(changes);
    }

    /** Copies the limits of the file to the builder. */
    public void applyTo(HubSettings.Builder builder) {
        changes.values().forEach(change -> change.apply(builder));
    }

    /** Returns all limits as text for a file, in the order of the reference page. */
    static Map<String, String> shown(HubSettings settings) {
        var shown = new LinkedHashMap<String, String>();
        LIMITS.forEach((name, limit) -> shown.put(name, limit.shown().apply(settings)));
        return shown;
    }

    private static Limit known(String name) {
        Limit limit = LIMITS.get(name);
        if (limit == null) {
            throw new IllegalStateException("no limit is named " + name);
        }
        return limit;
    }

    private static Map<String, Limit> limits() {
        var all = new LinkedHashMap<String, Limit>();
        all.put("connections", count(1, MANY, HubSettings.Builder::maxConnections, HubSettings::maxConnections));
        all.put("channels", count(1, MANY, HubSettings.Builder::maxChannels, HubSettings::maxChannels));
        all.put(
                "attachments-per-connection",
                count(
                        1,
                        100_000,
                        HubSettings.Builder::maxAttachmentsPerConnection,
                        HubSettings::maxAttachmentsPerConnection));
        all.put(
                "members-per-channel",
                count(1, 100_000, HubSettings.Builder::maxMembersPerChannel, HubSettings::maxMembersPerChannel));
        all.put(
                "presence-bytes-per-channel",
                bytes(HubSettings.Builder::presenceBytesPerChannel, HubSettings::presenceBytesPerChannel));
        all.put(
                "presence-bytes-in-all",
                bytes(HubSettings.Builder::presenceBytesInAll, HubSettings::presenceBytesInAll));
        all.put(
                "message-bytes",
                count(1_024, MAX_MESSAGE_BYTES, HubSettings.Builder::maxMessageBytes, HubSettings::maxMessageBytes));
        all.put(
                "messages-per-second",
                count(1, 100_000, HubSettings.Builder::inboundRatePerSecond, HubSettings::inboundRatePerSecond));
        all.put("messages-at-once", count(1, 100_000, HubSettings.Builder::inboundBurst, HubSettings::inboundBurst));
        all.put(
                "rest-messages-per-second",
                rest(100_000, RestRates::withMessagesPerSecond, RestRates::messagesPerSecond));
        all.put("rest-messages-at-once", rest(MANY, RestRates::withMessagesAtOnce, RestRates::messagesAtOnce));
        all.put(
                "rest-requests-per-second",
                rest(100_000, RestRates::withRequestsPerSecond, RestRates::requestsPerSecond));
        all.put("rest-requests-at-once", rest(MANY, RestRates::withRequestsAtOnce, RestRates::requestsAtOnce));
        all.put("rest-callers", rest(MANY, RestRates::withMaxCallers, RestRates::maxCallers));
        all.put("history-messages", count(1, MANY, HubSettings.Builder::historyCount, HubSettings::historyCount));
        all.put("history-bytes", count(1_024, 1 << 30, HubSettings.Builder::historyBytes, HubSettings::historyBytes));
        all.put("history-bytes-in-all", bytes(HubSettings.Builder::historyBytesInAll, HubSettings::historyBytesInAll));
        all.put("history-age", time(HubSettings.Builder::historyAge, HubSettings::historyAge));
        all.put("last-message-age", time(HubSettings.Builder::lastMessageAge, HubSettings::lastMessageAge));
        all.put("connection-state-ttl", time(HubSettings.Builder::connectionStateTtl, HubSettings::connectionStateTtl));
        all.put("remain-present-for", time(HubSettings.Builder::remainPresentFor, HubSettings::remainPresentFor));
        all.put("claim-timeout", time(HubSettings.Builder::claimTimeout, HubSettings::claimTimeout));
        return all;
    }

    @FunctionalInterface
    private interface Setter<T> {
        HubSettings.Builder set(HubSettings.Builder builder, T value);
    }

    private static Limit count(int least, int most, Setter<Integer> setter, Function<HubSettings, Integer> getter) {
        return new Limit(
                entry -> {
                    int value = entry.count(least, most);
                    return builder -> setter.set(builder, value);
                },
                settings -> getter.apply(settings).toString());
    }

    private static Limit rest(
            int most, BiFunction<RestRates, Integer, RestRates> with, Function<RestRates, Integer> getter) {
        return count(
                1,
                most,
                (builder, value) -> builder.restRates(rates -> with.apply(rates, value)),
                settings -> getter.apply(settings.restRates()));
    }

    private static Limit bytes(Setter<Long> setter, Function<HubSettings, Long> getter) {
        return new Limit(
                entry -> {
                    long value = entry.number(1_024, 1L << 40);
                    return builder -> setter.set(builder, value);
                },
                settings -> getter.apply(settings).toString());
    }

    private static Limit time(Setter<Duration> setter, Function<HubSettings, Duration> getter) {
        return new Limit(
                entry -> {
                    Duration value = entry.duration(Duration.ofSeconds(1), LONGEST);
                    return builder -> setter.set(builder, value);
                },
                settings -> Entry.spelled(getter.apply(settings)));
    }
}
