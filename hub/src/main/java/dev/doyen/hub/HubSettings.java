package dev.doyen.hub;

import dev.doyen.hub.auth.ClientIdRule;
import dev.doyen.hub.wire.Quote;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * Every limit and interval of a hub. {@link #defaults()} are Ably's where a client could notice; a builder changes
 * them and checks them against each other.
 *
 * @param connectionStateTtl how long a connection without a socket can be resumed
 * @param maxIdleInterval the silence a client is promised never to see; a connect parameter may ask for another
 * @param remainPresentFor how long members stay after their socket is lost; a connect parameter may ask for another
 * @param maxClaimTtl the longest promise a claim may carry (rule C7): no longer than the leases behind claims last, or a
 *     hub that starts again could grant a claim whose holder still trusts the hub before it
 * @param claimTimeout how long a claim waits for the store (rule C3)
 * @param maxConnections connections, with and without a socket
 * @param maxChannels channels, those that only keep history included
 * @param maxAttachmentsPerConnection attachments of one connection
 * @param maxMembersPerChannel members of one channel
 * @param maxWaitingClaimsPerChannel claims that wait on one channel (rule C3)
 * @param maxMessageBytes name, data, client id and extras of one publish together
 * @param maxFrameBytes one frame; told to clients and the bound of a page of SYNC
 * @param inboundRatePerSecond messages a connection may send each second
 * @param inboundBurst messages a connection may send at once
 * @param controlBurst other frames a connection may send at once
 * @param storedAcksPerConnection answers kept to be sent again after a resume
 * @param heldAcksPerConnection answers held back behind a claim that waits
 * @param keysPerConnection connection keys, newest first, that resume a connection
 * @param historyCount messages kept per channel
 * @param historyBytes bytes of messages kept per channel
 * @param historyBytesInAll bytes of messages kept in the whole hub
 * @param historyAge how long messages are kept
 * @param lastMessageAge how long a channel's last message is kept, for who attaches with rewind=1
 * @param maxChannelNameLength UTF-16 units of a channel name
 * @param maxClientIdLength UTF-16 units of a client id
 * @param restRates how fast one who asks by HTTP may ask
 * @param channelRules what holds on some channels and not on others
 * @param serverId what CONNECTED says this server is called
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

    /** The bounds of the connect parameter {@code heartbeatInterval}, and so of {@link #maxIdleInterval}. */
    static final Duration MIN_IDLE_INTERVAL = Duration.ofSeconds(5);

    static final Duration MAX_IDLE_INTERVAL = Duration.ofMinutes(30);

    /** The least promise a claim may carry; the most is {@link #maxClaimTtl}. */
    static final Duration MIN_CLAIM_TTL = Duration.ofSeconds(1);

    /** The least the connect parameter {@code remainPresentFor} may ask for; the most is {@link #connectionStateTtl}. */
    static final Duration MIN_REMAIN_PRESENT = Duration.ofSeconds(1);

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
        // A message may double when it is written: escapes in JSON, base64 of bytes, and the fields around it.
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

    /** The longest promise a claim may carry on a channel of this rule. */
    Duration maxClaimTtl(ChannelRule rule) {
        return rule.maxClaimTtl().orElse(maxClaimTtl);
    }

    int historyCount(ChannelRule rule) {
        return rule.historyCount().orElse(historyCount);
    }

    Duration historyAge(ChannelRule rule) {
        return rule.historyAge().orElse(historyAge);
    }

    int maxMembers(ChannelRule rule) {
        return rule.maxMembers().orElse(maxMembersPerChannel);
    }

    /** Starts from the defaults. {@link #build()} refuses, with a sentence, what does not fit together. */
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

        /** Changes what has been given so far. */
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
