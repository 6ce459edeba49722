package dev.doyen.hub;

import dev.doyen.hub.auth.Access;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A client's state, which outlives its sockets. Plain state: {@link Connections} decides about it, and the other
 * classes each keep their own part of it here.
 */
final class Connection {

    final String id;
    /** Who the connection speaks as: {@link Access#ANYBODY} as anybody, null as nobody in particular. */
    final @Nullable String clientId;

    final Acks acks;
    final TokenBucket publishes;
    final TokenBucket controls;

    /** By the channel's name as the client spells it. They end with the socket. */
    final Map<String, Attachment> attachments = new LinkedHashMap<>();

    final Set<Member> members = new LinkedHashSet<>();
    final Set<WaitingClaim> waitingClaims = new LinkedHashSet<>();

    /** How many of its PRESENCE frames are on their way into the log, by channel. */
    final Map<Channel, Integer> entering = new LinkedHashMap<>();

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

    private final Deque<String> keys = new ArrayDeque<>();
    private final int keyLimit;

    /** At which other node it is, or was when that node died; empty if it is at this one. */
    String node = "";

    /** What is known here of a connection at another node: it has members, and nothing else. */
    static Connection elsewhere(String id, String node, HubSettings settings) {
        var connection = new Connection(id, ConnectParams.ELSEWHERE, Access.NOBODY, settings, 0);
        connection.node = node;
        return connection;
    }

    Connection(String id, ConnectParams params, Access access, HubSettings settings, long nowNanos) {
        this.id = id;
        this.clientId = params.clientId();
        this.params = params;
        this.access = access;
        this.acks = new Acks(settings.storedAcksPerConnection());
        this.publishes = new TokenBucket(settings.inboundRatePerSecond(), settings.inboundBurst(), nowNanos);
        this.controls = new TokenBucket(settings.inboundRatePerSecond(), settings.controlBurst(), nowNanos);
        this.keyLimit = settings.keysPerConnection();
        this.lastSentNanos = nowNanos;
        this.lastReceivedNanos = nowNanos;
    }

    /** Older keys stay good: the CONNECTED that carried the newest may never have arrived. */
    void addKey(String key) {
        keys.addFirst(key);
        if (keys.size() > keyLimit) {
            keys.removeLast();
        }
    }

    String newestKey() {
        return keys.getFirst();
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

    /** Those where it has members, or has asked for some. */
    Set<Channel> channels() {
        Set<Channel> channels = new LinkedHashSet<>(entering.keySet());
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

    boolean wantsEcho() {
        return params.echo() == ConnectParams.Echo.ON;
    }

    @Override
    public String toString() {
        return "Connection[" + id + "]";
    }
}
