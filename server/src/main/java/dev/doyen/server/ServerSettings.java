package dev.doyen.server;

import dev.doyen.server.http.Audience;
import dev.doyen.server.websocket.SessionLimits;
import java.net.InetAddress;
import java.time.Duration;

/**
 * Where a server listens, and how much it takes on.
 *
 * @param bind the address of all three ports
 * @param port the hub's, with its page; 0 for any free one, as for the other two
 * @param electorPort the elector API's
 * @param probePort the probes'
 * @param channel the election the elector answers for, and the channel of the page if there is one
 * @param claimTtlMillis what the page puts on its claim (rule C7)
 * @param maxHubConnections open sockets of the hub's port
 * @param drain over which time clients are sent away when the server ends; zero for all at once
 * @param sessions what one WebSocket may cost
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

    /** Open sockets of the elector's and of the probes' port, each. */
    static final int MAX_ELECTOR_CONNECTIONS = 2_000;

    /** The bounds of rule C7. */
    public static final long MIN_CLAIM_TTL_MILLIS = 1_000;

    public static final long MAX_CLAIM_TTL_MILLIS = 60_000;

    /** Kubernetes kills after 30 s unless it is told otherwise; who tells it so may drain for longer. */
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

    /** Who can reach this server. */
    Audience audience() {
        return bind.isLoopbackAddress() ? Audience.LOOPBACK : Audience.NETWORK;
    }
}
