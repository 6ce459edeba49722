package dev.doyen.hub;

import dev.doyen.hub.auth.Access;
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
 * A client's state, which outlives its sockets. Plain state: {@link Connections} decides about it, and the other
 * classes each keep their own part of it here.
 */
final class Connection {

    /** Of connections elsewhere, for which nothing is ever counted here. */
    private static final Acks NO_ACKS = new Acks(0);

    private static final TokenBucket NO_BUCKET = new TokenBucket(1, 0, 0);

    final String id;
    /** Who the connection speaks as: {@link Access#ANYBODY} as anybody, null as nobody in particular. */
    final @Nullable String clientId;

    final Acks acks;
    final TokenBucket publishes;
    final TokenBucket controls;

    /** By the channel's name as the client spells it. They end with the socket. */
    final Map<String, Attachment> attachments;

    final Set<Member> members = new FewSet<>();
    final Set<WaitingClaim> waitingClaims;

    /** Those of its PRESENCE frames that are on their way into the log. */
    private List<Change.Presented> entering = List.of();

    ConnectParams params;
    /** What its client has proved last. */
    Access access;

    @Nullable
    SessionId session;

    long lastSentNanos;
    long lastReceivedNanos;

    Timers.@Nullable Timer heartbeat;
    /** Ends the membership of a connection without a socket, then the connection itself. */
    Timers.@Nullable Timer grace;

    Timers.@Nullable Timer expiry;
    /** Asks for the next token, and ends the socket of who has none. */
    Timers.@Nullable Timer token;

    /** Newest first. */
    private List<String> keys = List.of();

    private final int keyLimit;

    /** At which other node it is, or was when that node died; empty if it is at this one. */
    final String node;

    /** What is known here of a connection at another node: it has members, and nothing else. */
    static Connection elsewhere(String id, String node) {
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

    Connection(String id, ConnectParams params, Access access, HubSettings settings, long nowNanos) {
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

    /** Older keys stay good: the CONNECTED that carried the newest may never have arrived. */
    void addKey(String key) {
        keys = Stream.concat(Stream.of(key), keys.stream()).limit(keyLimit).toList();
    }

    String newestKey() {
        return keys.get(0);
    }

    /** What its keys are known by to who may not know them. */
    List<String> keyDigests() {
        return keys.stream().map(Digests::of).toList();
    }

    boolean hasKey(String key) {
        byte[] given = key.getBytes(StandardCharsets.UTF_8);
        boolean found = false;
        for (String known : keys) {
            found |= MessageDigest.isEqual(known.getBytes(StandardCharsets.UTF_8), given);
        }
        return found;
    }

    /** A frame of it is on its way into the log. */
    void enters(Change.Presented presented) {
        entering = entering.isEmpty() ? new ArrayList<>(1) : entering;
        entering.add(presented);
    }

    /** That frame has happened, or will not. */
    void entered(Change.Presented presented) {
        entering.remove(presented);
        entering = entering.isEmpty() ? List.of() : entering;
    }

    /** Those where it has members, or has asked for some. */
    Set<Channel> channels() {
        Set<Channel> channels = new LinkedHashSet<>();
        entering.forEach(presented -> channels.add(presented.channel()));
        members.forEach(member -> channels.add(member.channel));
        return channels;
    }

    /** Until when its members' claims were promised to be kept if nothing more is heard (rule C7). */
    long promisedUntilNanos() {
        long longestMillis = 0;
        for (Member member : members) {
            if (member.claim != null && member.channel.claims.heldBy(this, member.clientId) != null) {
                longestMillis = Math.max(longestMillis, member.claim.ttlMillis().orElse(0));
            }
        }
        return lastReceivedNanos + longestMillis * 1_000_000;
    }

    /** Whether the log shows a member of it as a leader, or is about to, whose claim has ended as far as this node is concerned. */
    boolean leadsInVain() {
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

    boolean wantsEcho() {
        return params.echo() == ConnectParams.Echo.ON;
    }
}
