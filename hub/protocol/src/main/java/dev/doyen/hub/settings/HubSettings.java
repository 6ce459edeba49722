package dev.doyen.hub.settings;

import dev.doyen.hub.auth.ClientIdRule;
import dev.doyen.hub.wire.Quote;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * All limits and intervals of a hub.
 *
 * <p>{@link #defaults()} are Ably's values where a client could notice a difference. The constructor checks the values
 * against each other.
 *
 * @param connectionStateTtl how long a connection without a socket can be resumed
 * @param maxIdleInterval longest time without a frame for a client; a connect parameter may choose another
 * @param remainPresentFor how long members stay after their socket is lost; a connect parameter may choose another
 * @param maxClaimTtl upper bound of a claim's ttl (rule C7). It must not exceed the ttl of the leases. Otherwise a
 *     restarted hub could grant a claim whose former holder still trusts the hub before it.
 * @param claimTimeout how long a claim waits for the store (rule C3)
 * @param maxConnections connections, with and without a socket
 * @param maxChannels channels, including unused ones
 * @param maxAttachmentsPerConnection attachments of one connection
 * @param maxMembersPerChannel members of one channel
 * @param maxWaitingClaimsPerChannel claims that wait on one channel (rule C3)
 * @param maxMessageBytes name, data, client id and extras of one publish together
 * @param maxFrameBytes size of a frame; the hub sends it to clients and limits its SYNC pages by it
 * @param inboundRatePerSecond messages that a connection may send per second
 * @param inboundBurst messages that a connection may send at once
 * @param controlBurst other frames that a connection may send at once
 * @param storedAcksPerConnection stored answers, for repeated frames after a resume
 * @param heldAcksPerConnection answers that wait behind a waiting claim
 * @param keysPerConnection number of connection keys, newest first, that can resume a connection
 * @param historyCount messages in the history of a channel
 * @param historyBytes bytes in the history of a channel
 * @param historyBytesInAll bytes in the history of all channels
 * @param historyAge age at which the history drops messages
 * @param lastMessageAge age at which it drops a channel's last message, which serves clients with rewind=1
 * @param maxChannelNameLength UTF-16 units of a channel name
 * @param maxClientIdLength UTF-16 units of a client id
 * @param restRates rate limits for HTTP requests
 * @param channelRules settings that differ between channels
 * @param serverId name of this server in CONNECTED
 */
public record HubSettings(
        Duration connectionStateTtl,
        Duration maxIdleInterval,
        Duration remainPresentFor,
        Duration maxClaimTtl,
        Duration claimTimeout,
        int maxConnections,
        int maxChannels,
        int maxAttachmentsPerConnection,
        int maxMembersPerChannel,
        int maxWaitingClaimsPerChannel,
        int maxMessageBytes,
        int maxFrameBytes,
        int inboundRatePerSecond,
        int inboundBurst,
        int controlBurst,
        int storedAcksPerConnection,
        int heldAcksPerConnection,
        int keysPerConnection,
        int historyCount,
        int historyBytes,
        long historyBytesInAll,
        Duration historyAge,
        Duration lastMessageAge,
        int maxChannelNameLength,
        int maxClientIdLength,
        RestRates restRates,
        ChannelRules channelRules,
        String serverId) {

    /** Bounds of the connect parameter {@code heartbeatInterval} and of {@link #maxIdleInterval}. */
    public static final Duration MIN_IDLE_INTERVAL = Duration.ofSeconds(5);

    public static final Duration MAX_IDLE_INTERVAL = Duration.ofMinutes(30);

    /** Lower bound of a claim's ttl. The upper bound is {@link #maxClaimTtl}. */
    public static final Duration MIN_CLAIM_TTL = Duration.ofSeconds(1);

    /**
     * Lower bound of the connect parameter {@code remainPresentFor}. The upper bound is {@link #connectionStateTtl}.
     */
    public static final Duration MIN_REMAIN_PRESENT = Duration.ofSeconds(1);

    public HubSettings {
        SettingsRules.positive(
                SettingsRules.amount("connectionStateTtl", connectionStateTtl),
                SettingsRules.amount("maxIdleInterval", maxIdleInterval),
                SettingsRules.amount("remainPresentFor", remainPresentFor),
                SettingsRules.amount("maxClaimTtl", maxClaimTtl),
                SettingsRules.amount("claimTimeout", claimTimeout),
                SettingsRules.amount("maxConnections", maxConnections),
                SettingsRules.amount("maxChannels", maxChannels),
                SettingsRules.amount("maxAttachmentsPerConnection", maxAttachmentsPerConnection),
                SettingsRules.amount("maxMembersPerChannel", maxMembersPerChannel),
                SettingsRules.amount("maxWaitingClaimsPerChannel", maxWaitingClaimsPerChannel),
                SettingsRules.amount("maxMessageBytes", maxMessageBytes),
                SettingsRules.amount("maxFrameBytes", maxFrameBytes),
                SettingsRules.amount("inboundRatePerSecond", inboundRatePerSecond),
                SettingsRules.amount("inboundBurst", inboundBurst),
                SettingsRules.amount("controlBurst", controlBurst),
                SettingsRules.amount("storedAcksPerConnection", storedAcksPerConnection),
                SettingsRules.amount("heldAcksPerConnection", heldAcksPerConnection),
                SettingsRules.amount("keysPerConnection", keysPerConnection),
                SettingsRules.amount("historyCount", historyCount),
                SettingsRules.amount("historyBytes", historyBytes),
                SettingsRules.amount("historyBytesInAll", historyBytesInAll),
                SettingsRules.amount("historyAge", historyAge),
                SettingsRules.amount("lastMessageAge", lastMessageAge),
                SettingsRules.amount("maxChannelNameLength", maxChannelNameLength),
                SettingsRules.amount("maxClientIdLength", maxClientIdLength));
        SettingsRules.atLeast("connectionStateTtl", connectionStateTtl, "remainPresentFor", remainPresentFor);
        SettingsRules.atLeast("connectionStateTtl", connectionStateTtl, "claimTimeout", claimTimeout);
        SettingsRules.atLeast("connectionStateTtl", connectionStateTtl, "maxClaimTtl", maxClaimTtl);
        SettingsRules.atLeast("maxClaimTtl", maxClaimTtl, "its least value", MIN_CLAIM_TTL);
        SettingsRules.atLeast("remainPresentFor", remainPresentFor, "its least value", MIN_REMAIN_PRESENT);
        SettingsRules.atLeast("maxIdleInterval", maxIdleInterval, "its least value", MIN_IDLE_INTERVAL);
        SettingsRules.atLeast("the greatest maxIdleInterval", MAX_IDLE_INTERVAL, "maxIdleInterval", maxIdleInterval);
        SettingsRules.atLeast("lastMessageAge", lastMessageAge, "historyAge", historyAge);
        // Encoding may double a message: escapes in JSON, base64 of bytes, and the fields around it.
        SettingsRules.atLeast("maxFrameBytes", maxFrameBytes, "twice maxMessageBytes", 2L * maxMessageBytes);
        SettingsRules.atLeast("historyBytes", historyBytes, "maxMessageBytes", maxMessageBytes);
        SettingsRules.atLeast("historyBytesInAll", historyBytesInAll, "historyBytes", historyBytes);
        SettingsRules.atLeast("inboundBurst", inboundBurst, "inboundRatePerSecond", inboundRatePerSecond);
        restRates.check();
        SettingsRules.atLeast(
                "storedAcksPerConnection", storedAcksPerConnection, "heldAcksPerConnection", heldAcksPerConnection);
        for (ChannelRule rule : channelRules.list()) {
            String of = " of the rule for " + Quote.of(rule.pattern());
            rule.maxClaimTtl().ifPresent(ttl -> SettingsRules.atLeast("maxClaimTtl", maxClaimTtl, "that" + of, ttl));
            rule.historyAge()
                    .ifPresent(age -> SettingsRules.atLeast("lastMessageAge", lastMessageAge, "historyAge" + of, age));
        }
        if (serverId.isEmpty()) {
            throw new IllegalArgumentException("serverId is empty; name the server, for instance doyen");
        }
    }

    public ClientIdRule clientIdRule() {
        return new ClientIdRule(maxClientIdLength);
    }

    public static HubSettings defaults() {
        return builder().build();
    }

    public static Builder builder() {
        return new Builder();
    }

    /** Returns the upper bound of a claim's ttl on a channel with this rule. */
    public Duration maxClaimTtl(ChannelRule rule) {
        return rule.maxClaimTtl().orElse(maxClaimTtl);
    }

    public int historyCount(ChannelRule rule) {
        return rule.historyCount().orElse(historyCount);
    }

    public Duration historyAge(ChannelRule rule) {
        return rule.historyAge().orElse(historyAge);
    }

    public int maxMembers(ChannelRule rule) {
        return rule.maxMembers().orElse(maxMembersPerChannel);
    }

    /**
     * Builder that starts from the defaults. {@link #build()} throws {@link IllegalArgumentException} for invalid
     * values.
     */
    public static final class Builder {
        private Duration connectionStateTtl = Duration.ofMinutes(2);
        private Duration maxIdleInterval = Duration.ofSeconds(15);
        private Duration remainPresentFor = Duration.ofSeconds(15);
        private Duration maxClaimTtl = Duration.ofSeconds(60);
        private Duration claimTimeout = Duration.ofSeconds(10);
        private int maxConnections = 10_000;
        private int maxChannels = 10_000;
        private int maxAttachmentsPerConnection = 200;
        private int maxMembersPerChannel = 200;
        private int maxWaitingClaimsPerChannel = 64;
        private int maxMessageBytes = 65_536;
        private int maxFrameBytes = 524_288;
        private int inboundRatePerSecond = 50;
        private int inboundBurst = 250;
        private int controlBurst = 1_000;
        private int storedAcksPerConnection = 500;
        private int heldAcksPerConnection = 500;
        private int keysPerConnection = 8;
        private int historyCount = 1_000;
        private int historyBytes = 1_048_576;
        private long historyBytesInAll = 268_435_456L;
        private Duration historyAge = Duration.ofMinutes(2);
        private Duration lastMessageAge = Duration.ofDays(1);
        private int maxChannelNameLength = 255;
        private int maxClientIdLength = 255;
        private RestRates restRates = RestRates.DEFAULT;
        private ChannelRules channelRules = ChannelRules.NONE;
        private String serverId = "doyen";

        private Builder() {}

        public Builder connectionStateTtl(Duration value) {
            this.connectionStateTtl = value;
            return this;
        }

        public Builder maxIdleInterval(Duration value) {
            this.maxIdleInterval = value;
            return this;
        }

        public Builder remainPresentFor(Duration value) {
            this.remainPresentFor = value;
            return this;
        }

        public Builder maxClaimTtl(Duration value) {
            this.maxClaimTtl = value;
            return this;
        }

        public Builder claimTimeout(Duration value) {
            this.claimTimeout = value;
            return this;
        }

        public Builder maxConnections(int value) {
            this.maxConnections = value;
            return this;
        }

        public Builder maxChannels(int value) {
            this.maxChannels = value;
            return this;
        }

        public Builder maxAttachmentsPerConnection(int value) {
            this.maxAttachmentsPerConnection = value;
            return this;
        }

        public Builder maxMembersPerChannel(int value) {
            this.maxMembersPerChannel = value;
            return this;
        }

        public Builder maxWaitingClaimsPerChannel(int value) {
            this.maxWaitingClaimsPerChannel = value;
            return this;
        }

        public Builder maxMessageBytes(int value) {
            this.maxMessageBytes = value;
            return this;
        }

        public Builder maxFrameBytes(int value) {
            this.maxFrameBytes = value;
            return this;
        }

        public Builder inboundRatePerSecond(int value) {
            this.inboundRatePerSecond = value;
            return this;
        }

        public Builder inboundBurst(int value) {
            this.inboundBurst = value;
            return this;
        }

        public Builder controlBurst(int value) {
            this.controlBurst = value;
            return this;
        }

        public Builder storedAcksPerConnection(int value) {
            this.storedAcksPerConnection = value;
            return this;
        }

        public Builder heldAcksPerConnection(int value) {
            this.heldAcksPerConnection = value;
            return this;
        }

        public Builder keysPerConnection(int value) {
            this.keysPerConnection = value;
            return this;
        }

        public Builder historyCount(int value) {
            this.historyCount = value;
            return this;
        }

        public Builder historyBytes(int value) {
            this.historyBytes = value;
            return this;
        }

        public Builder historyBytesInAll(long value) {
            this.historyBytesInAll = value;
            return this;
        }

        public Builder historyAge(Duration value) {
            this.historyAge = value;
            return this;
        }

        public Builder lastMessageAge(Duration value) {
            this.lastMessageAge = value;
            return this;
        }

        public Builder maxChannelNameLength(int value) {
            this.maxChannelNameLength = value;
            return this;
        }

        public Builder maxClientIdLength(int value) {
            this.maxClientIdLength = value;
            return this;
        }

        /** Changes the current rate limits. */
        public Builder restRates(UnaryOperator<RestRates> change) {
            this.restRates = change.apply(restRates);
            return this;
        }

        public Builder channelRules(ChannelRules value) {
            this.channelRules = value;
            return this;
        }

        public Builder serverId(String value) {
            this.serverId = value;
            return this;
        }

        public HubSettings build() {
            return new HubSettings(
                    connectionStateTtl,
                    maxIdleInterval,
                    remainPresentFor,
                    maxClaimTtl,
                    claimTimeout,
                    maxConnections,
                    maxChannels,
                    maxAttachmentsPerConnection,
                    maxMembersPerChannel,
                    maxWaitingClaimsPerChannel,
                    maxMessageBytes,
                    maxFrameBytes,
                    inboundRatePerSecond,
                    inboundBurst,
                    controlBurst,
                    storedAcksPerConnection,
                    heldAcksPerConnection,
                    keysPerConnection,
                    historyCount,
                    historyBytes,
                    historyBytesInAll,
                    historyAge,
                    lastMessageAge,
                    maxChannelNameLength,
                    maxClientIdLength,
                    restRates,
                    channelRules,
                    serverId);
        }
    }
}
