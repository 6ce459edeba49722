package dev.doyen.hub.channel;

import dev.doyen.hub.auth.Access;
import dev.doyen.hub.auth.Digests;
import dev.doyen.hub.connection.Connections;
import dev.doyen.hub.quota.Resource;
import dev.doyen.hub.quota.Usage;
import dev.doyen.hub.ratelimit.TokenBucket;
import dev.doyen.hub.settings.HubSettings;
import dev.doyen.hub.step.Receiver;
import dev.doyen.hub.step.SessionId;
import dev.doyen.hub.step.Timers;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of a client's connection, which can use several sockets one after the other.
 *
 * <p>This class contains only data. {@link Connections} decides when a connection opens, resumes and ends.
 */
public final class Connection implements Receiver {

    /** The {@code Acks} that all connections at other nodes share. This node sends no answers to these connections. */
    private static final Acks NO_ACKS = new Acks(0);

    private static final TokenBucket NO_BUCKET = TokenBucket.perSecond(1, 0, 0);

    public final String id;
    /**
     * The id of the connection that the client wanted to resume; empty if there is none. If the hub no longer had that
     * connection, this connection replaces it.
     */
    public final String formerId;
    /** The client id of the connection, or null. {@link Access#ANYBODY} means that every client id is allowed. */
    public final @Nullable String clientId;

    public final Acks acks;
    public final TokenBucket publishes;
    public final TokenBucket controls;

    /** The resources that the connection uses, counted in the accounts of the quotas. */
    public final Usage usage;

    /** The attachments by channel name, as the client writes the name. The attachments end with the socket. */
    public final Map<String, Attachment> attachments;

    public final SyncProgress syncProgress = new SyncProgress();

    public final Set<Member> members = new FewSet<>();
    public final Set<WaitingClaim> waitingClaims;

    /** The PRESENCE frames that are proposed and not yet read from the log. */
    private List<Change.Presented> entering = List.of();

    public ConnectParams params;
    /** The access that the client's last credentials grant. */
    public Access access;

    @Nullable
    public SessionId session;

    public long lastSentNanos;
    public long lastReceivedNanos;

    public Timers.@Nullable Timer heartbeat;
    /**
     * The timer that removes the members of a connection without a socket. Another timer, {@link #expiry}, ends the
     * connection.
     */
    public Timers.@Nullable Timer grace;

    public Timers.@Nullable Timer expiry;
    /** The timer that asks the client for a new token. The hub later closes the socket if the client sends none. */
    public Timers.@Nullable Timer token;

    /** The keys of the connection, with the newest key first. */
    private List<String> keys = List.of();

    private final int keyLimit;

    /**
     * The name of the other node that has the connection, or had it last. The name is empty if the connection is at
     * this node.
     */
    public final String node;

    /** Returns a connection at another node. This node stores only the members of the connection. */
    public static Connection elsewhere(String id, String node) {
        return new Connection(id, node);
    }

    private Connection(String id, String node) {
        this.id = id;
        this.formerId = "";
        this.node = node;
        this.clientId = null;
        this.params = ConnectParams.ELSEWHERE;
        this.access = Access.NOBODY;
        this.acks = NO_ACKS;
        this.publishes = NO_BUCKET;
        this.controls = NO_BUCKET;
        this.usage = Usage.UNCOUNTED;
        this.attachments = Map.of();
        this.waitingClaims = Set.of();
        this.keyLimit = 0;
    }

    public Connection(
            String id, ConnectParams params, Access access, Usage usage, HubSettings settings, long nowNanos) {
        this.id = id;
        this.formerId = params.resumeKey().map(Connection::idIn).orElse("");
        this.node = "";
        this.clientId = params.clientId();
        this.params = params;
        this.access = access;
        this.usage = usage;
        this.acks = new Acks(settings.storedAcksPerConnection());
        this.publishes = TokenBucket.perSecond(settings.inboundRatePerSecond(), settings.inboundBurst(), nowNanos);
        this.controls = TokenBucket.perSecond(settings.inboundRatePerSecond(), settings.controlBurst(), nowNanos);
        this.attachments = new FewMap<>();
        this.waitingClaims = new FewSet<>();
        this.keyLimit = settings.keysPerConnection();
        this.lastSentNanos = nowNanos;
        this.lastReceivedNanos = nowNanos;
    }

    @Override
    public @Nullable SessionId session() {
        return session;
    }

    @Override
    public void sentAt(long nowNanos) {
        lastSentNanos = nowNanos;
    }

    /** Returns the connection id in a key. The result is empty if the key is malformed. */
    public static String idIn(String key) {
        int mark = key.indexOf('!');
        return mark < 0 ? "" : key.substring(0, mark);
    }

    /**
     * Adds a key, and removes the oldest key if there are too many. The other keys stay valid, because the CONNECTED
     * frame with the newest key can be lost.
     */
    public void addKey(String key) {
        keys = Stream.concat(Stream.of(key), keys.stream()).limit(keyLimit).toList();
    }

    public String newestKey() {
        return keys.get(0);
    }

    /** Returns digests of the connection's keys for the other nodes. */
    public List<String> keyDigests() {
        return keys.stream().map(Digests::of).toList();
    }

    public boolean hasKey(String key) {
        byte[] given = key.getBytes(StandardCharsets.UTF_8);
        boolean found = false;
        for (String known : keys) {
            found |= MessageDigest.isEqual(known.getBytes(StandardCharsets.UTF_8), given);
        }
        return found;
    }

    /** Records that a frame has been proposed to the log. */
    public void enters(Change.Presented presented) {
        entering = entering.isEmpty() ? new ArrayList<>(1) : entering;
        entering.add(presented);
        usage.add(Resource.PRESENCE_BYTES, presented.frame().bytes());
    }

    /** Records that the log has applied or declined the frame. */
    public void entered(Change.Presented presented) {
        if (entering.remove(presented)) {
            usage.add(Resource.PRESENCE_BYTES, -presented.frame().bytes());
        }
        entering = entering.isEmpty() ? List.of() : entering;
    }

    /** Returns the channels on which the connection has members or has asked to enter members. */
    public Set<Channel> channels() {
        Set<Channel> channels = new LinkedHashSet<>();
        entering.forEach(presented -> channels.add(presented.channel()));
        members.forEach(member -> channels.add(member.channel));
        return channels;
    }

    /**
     * Returns the time until which a holder on this connection may still lead (rule C7). Each frame of the client
     * extends the time.
     */
    public long promisedUntilNanos() {
        long longestMillis = 0;
        for (Member member : members) {
            if (member.claim != null && member.channel.claims.heldBy(this, member.clientId) != null) {
                longestMillis = Math.max(longestMillis, member.claim.ttlMillis().orElse(0));
            }
        }
        return lastReceivedNanos + longestMillis * 1_000_000;
    }

    /**
     * Returns true while the end of a claim of this connection is underway (rule C7). This node has ended the claim,
     * but has not read the end from the log yet.
     */
    public boolean leadsInVain() {
        for (Member member : members) {
            if (member.claim != null && member.channel.claims.heldBy(this, member.clientId) == null) {
                return true;
            }
        }
        for (Change.Presented presented : entering) {
            if (presented.claims() != null && !presented.channel().claims.isHeldBy(this, presented.claims())) {
                return true;
            }
        }
        return false;
    }

    public boolean receivesEcho() {
        return params.echo() == ConnectParams.Echo.ON;
    }
}
