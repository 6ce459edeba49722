package dev.doyen.hub.channel;

import dev.doyen.hub.auth.Access;
import dev.doyen.hub.auth.Digests;
import dev.doyen.hub.connection.Connections;
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
 * State of a client's connection, which outlasts its sockets.
 *
 * <p>This class holds data only. {@link Connections} decides about it, and other classes keep their own part of it
 * here.
 */
public final class Connection implements Receiver {

    /** Shared by connections at other nodes, for which this node counts nothing. */
    private static final Acks NO_ACKS = new Acks(0);

    private static final TokenBucket NO_BUCKET = new TokenBucket(1, 0, 0);

    public final String id;
    /** The connection's client: {@link Access#ANYBODY} for any, null for none. */
    public final @Nullable String clientId;

    public final Acks acks;
    public final TokenBucket publishes;
    public final TokenBucket controls;

    /** By the channel name as the client writes it. They end with the socket. */
    public final Map<String, Attachment> attachments;

    public final Set<Member> members = new FewSet<>();
    public final Set<WaitingClaim> waitingClaims;

    /** PRESENCE frames that are proposed and not yet read from the log. */
    private List<Change.Presented> entering = List.of();

    public ConnectParams params;
    /** The access that the client's last credentials grant. */
    public Access access;

    @Nullable
    public SessionId session;

    public long lastSentNanos;
    public long lastReceivedNanos;

    public Timers.@Nullable Timer heartbeat;
    /** Removes the members of a connection that has lost its socket. {@link #expiry} ends the connection. */
    public Timers.@Nullable Timer grace;

    public Timers.@Nullable Timer expiry;
    /** Asks the client for a new token, then closes the socket if none comes. */
    public Timers.@Nullable Timer token;

    /** Newest first. */
    private List<String> keys = List.of();

    private final int keyLimit;

    /** The other node that has the connection, or had it when that node died. Empty if it is at this node. */
    public final String node;

    /** A connection at another node. This node knows only its members. */
    public static Connection elsewhere(String id, String node) {
        return new Connection(id, node);
    }

    private Connection(String id, String node) {
        this.id = id;
        this.node = node;
        this.clientId = null;
        this.params = ConnectParams.ELSEWHERE;
        this.access = Access.NOBODY;
        this.acks = NO_ACKS;
        this.publishes = NO_BUCKET;
        this.controls = NO_BUCKET;
        this.attachments = Map.of();
        this.waitingClaims = Set.of();
        this.keyLimit = 0;
    }

    public Connection(String id, ConnectParams params, Access access, HubSettings settings, long nowNanos) {
        this.id = id;
        this.node = "";
        this.clientId = params.clientId();
        this.params = params;
        this.access = access;
        this.acks = new Acks(settings.storedAcksPerConnection());
        this.publishes = new TokenBucket(settings.inboundRatePerSecond(), settings.inboundBurst(), nowNanos);
        this.controls = new TokenBucket(settings.inboundRatePerSecond(), settings.controlBurst(), nowNanos);
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

    /** Older keys stay valid, because the CONNECTED with the newest one may be lost. */
    public void addKey(String key) {
        keys = Stream.concat(Stream.of(key), keys.stream()).limit(keyLimit).toList();
    }

    public String newestKey() {
        return keys.get(0);
    }

    /** Digests of the connection's keys, for the other nodes. */
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
    }

    /** Records that the frame has been applied or declined. */
    public void entered(Change.Presented presented) {
        entering.remove(presented);
        entering = entering.isEmpty() ? List.of() : entering;
    }

    /** Returns the channels on which the connection has members or has asked for some. */
    public Set<Channel> channels() {
        Set<Channel> channels = new LinkedHashSet<>();
        entering.forEach(presented -> channels.add(presented.channel()));
        members.forEach(member -> channels.add(member.channel));
        return channels;
    }

    /** Returns when the members' last promise ends if no frame arrives (rule C7). */
    public long promisedUntilNanos() {
        long longestMillis = 0;
        for (Member member : members) {
            if (member.claim != null && member.channel.claims.heldBy(this, member.clientId) != null) {
                longestMillis = Math.max(longestMillis, member.claim.ttlMillis().orElse(0));
            }
        }
        return lastReceivedNanos + longestMillis * 1_000_000;
    }

    /** Whether the log still shows a leader whose claim this node has ended (rule C7). */
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

    public boolean wantsEcho() {
        return params.echo() == ConnectParams.Echo.ON;
    }
}
