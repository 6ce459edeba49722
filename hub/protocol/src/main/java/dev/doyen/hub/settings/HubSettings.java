package dev.doyen.hub.settings;

import dev.doyen.hub.auth.ClientIdRule;
import dev.doyen.hub.wire.Quote;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * All limits and intervals of a hub.
 *
 * <p>The values of {@link #defaults()} equal Ably's values wherever a client could notice a difference. The constructor
 * rejects values that contradict each other. The file is long, because each setting has a parameter, a check and a
 * method of the builder.
 *
 * @param connectionStateTtl the time during which a connection without a socket can be resumed
 * @param maxIdleInterval the maximum time between two frames that the hub sends to a client; a connect parameter can
 *     choose another time
 * @param remainPresentFor the time for which members stay after their socket is lost; a connect parameter can choose
 *     another time
 * @param maxClaimTtl the upper bound of a claim's ttl (rule C7). The bound must not exceed the ttl of the leases.
 *     Otherwise a restarted hub could grant a slot to another client while the former holder still leads.
 * @param claimTimeout the time for which a claim waits for the store (rule C3)
 * @param maxConnections the maximum number of connections, with and without a socket
 * @param maxChannels the maximum number of channels, including unused channels
 * @param maxAttachmentsPerConnection the maximum number of attachments of one connection
 * @param maxMembersPerChannel the maximum number of members of one channel
 * @param presenceBytesPerChannel the maximum size of all members of one channel in bytes
 * @param presenceBytesInAll the maximum size of all members of all channels in bytes
 * @param maxWaitingClaimsPerChannel the maximum number of claims that wait on one channel (rule C3)
 * @param maxMessageBytes the maximum total size of the name, data, client id and extras in one publish, in bytes
 * @param maxFrameBytes the maximum size of a frame in bytes; the hub reports this size to clients, and sends no larger
 *     SYNC pages
 * @param inboundRatePerSecond the number of messages that a connection may send per second
 * @param inboundBurst the number of messages that a connection may send at once
 * @param controlBurst the number of frames other than MESSAGE and PRESENCE that a connection may send at once
 * @param storedAcksPerConnection the number of stored answers; the hub repeats a stored answer if the client repeats
 *     the frame after a resume
 * @param heldAcksPerConnection the maximum number of answers that wait until the hub has answered an earlier claim
 * @param keysPerConnection the number of keys that can resume a connection; older keys are dropped
 * @param historyCount the maximum number of messages in the history of a channel
 * @param historyBytes the maximum number of bytes in the history of a channel
 * @param historyBytesInAll the maximum number of bytes in the history of all channels
 * @param historyAge the age at which the history drops messages
 * @param lastMessageAge the age at which the history drops a channel's last message; clients with rewind=1 receive this
 *     message
 * @param maxChannelNameLength the maximum length of a channel name in UTF-16 units
 * @param maxClientIdLength the maximum length of a client id in UTF-16 units
 * @param quotas the limits of each key, client and address
 * @param restRates the rate limits for HTTP requests
 * @param channelRules the settings that differ between channels
 * @param serverId the name of this server in CONNECTED
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
        long presenceBytesPerChannel,
        long presenceBytesInAll,
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
        Quotas quotas,
        RestRates restRates,
        ChannelRules channelRules,
        String serverId) {

    /** The lower bound of the connect parameter {@code heartbeatInterval} and of {@link #maxIdleInterval}. */
    public static final Duration MIN_IDLE_INTERVAL = Duration.ofSeconds(5);

    public static final Duration MAX_IDLE_INTERVAL = Duration.ofMinutes(30);

    /** The lower bound of a claim's ttl. The upper bound is {@link #maxClaimTtl}. */
    public static final Duration MIN_CLAIM_TTL = Duration.ofSeconds(1);

    /**
     * The lower bound of the connect parameter {@code remainPresentFor}. The upper bound is {@link
     * #connectionStateTtl}.
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
                SettingsRules.amount("presenceBytesPerChannel", presenceBytesPerChannel),
                SettingsRules.amount("presenceBytesInAll", presenceBytesInAll),
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
        // JSON escapes, base64 and the surrounding fields can double the size of a message.
        SettingsRules.atLeast("maxFrameBytes", maxFrameBytes, "twice maxMessageBytes", 2L * maxMessageBytes);
        SettingsRules.atLeast("historyBytes", historyBytes, "maxMessageBytes", maxMessageBytes);
        SettingsRules.atLeast("historyBytesInAll", historyBytesInAll, "historyBytes", historyBytes);
        SettingsRules.atLeast("inboundBurst", inboundBurst, "inboundRatePerSecond", inboundRatePerSecond);
        SettingsRules.atLeast("presenceBytesPerChannel", presenceBytesPerChannel, "maxMessageBytes", maxMessageBytes);
        SettingsRules.atLeast(
                "presenceBytesInAll", presenceBytesInAll, "presenceBytesPerChannel", presenceBytesPerChannel);
        quotas.check();
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
     * A builder that starts from the defaults. {@link #build()} throws {@link IllegalArgumentException} for invalid
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
        private long presenceBytesPerChannel = 16_777_216;
        private long presenceBytesInAll = 67_108_864;
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
        private Quotas quotas = Quotas.DEFAULT;
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

        public Builder presenceBytesPerChannel(long value) {
            this.presenceBytesPerChannel = value;
            return this;
        }

        public Builder presenceBytesInAll(long value) {
            this.presenceBytesInAll = value;
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

        /** Changes the current quotas. */
        public Builder quotas(UnaryOperator<Quotas> change) {
            this.quotas = change.apply(quotas);
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
                    presenceBytesPerChannel,
                    presenceBytesInAll,
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
                    quotas,
                    restRates,
                    channelRules,
                    serverId);
        }
    }
}
