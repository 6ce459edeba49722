package dev.doyen.hub.server;

import dev.doyen.elector.http.Audience;
import dev.doyen.hub.server.websocket.SessionLimits;
import java.net.InetAddress;
import java.time.Duration;

/**
 * The addresses and limits of a server.
 *
 * @param bind the address of all three ports
 * @param port the port of the hub and its page; 0 for any free port, as for the other two
 * @param electorPort the port of the elector API
 * @param probePort the port of the probes
 * @param channel the election that the elector reports, and the channel of the page if there is one
 * @param claimTtlMillis the ttl that the page puts on its claim (rule C7)
 * @param maxHubConnections the maximum number of connections on the hub's port
 * @param drain the time over which clients are disconnected when the server shuts down; zero for all at once
 * @param sessions the limits of one WebSocket
 */
public record ServerSettings(
        InetAddress bind,
        int port,
        int electorPort,
        int probePort,
        String channel,
        long claimTtlMillis,
        int maxHubConnections,
        Duration drain,
        SessionLimits sessions) {

    /** The maximum number of connections on the elector's port, and on the probes' port. */
    static final int MAX_ELECTOR_CONNECTIONS = 2_000;

    /** The bounds of a claim's ttl (rule C7). */
    public static final long MIN_CLAIM_TTL_MILLIS = 1_000;

    public static final long MAX_CLAIM_TTL_MILLIS = 60_000;

    /** Kubernetes kills a pod after 30 s by default. Operators who raise that limit may drain for longer. */
    public static final Duration MAX_DRAIN = Duration.ofMinutes(10);

    public ServerSettings {
        if (drain.isNegative() || drain.compareTo(MAX_DRAIN) > 0) {
            throw new IllegalArgumentException(
                    "drain (" + drain.toMillis() + "ms) must be from 0ms to " + MAX_DRAIN.toMillis() + "ms");
        }
        if (claimTtlMillis < MIN_CLAIM_TTL_MILLIS || claimTtlMillis > MAX_CLAIM_TTL_MILLIS) {
            throw new IllegalArgumentException("claimTtlMillis (" + claimTtlMillis + ") must be from "
                    + MIN_CLAIM_TTL_MILLIS + " to " + MAX_CLAIM_TTL_MILLIS);
        }
        if (maxHubConnections < 1) {
            throw new IllegalArgumentException("maxHubConnections (" + maxHubConnections + ") must be positive");
        }
        if (channel.isEmpty()) {
            throw new IllegalArgumentException("channel must not be empty");
        }
    }

    /** The machines that can reach this server. */
    public Audience audience() {
        return bind.isLoopbackAddress() ? Audience.LOOPBACK : Audience.NETWORK;
    }
}
