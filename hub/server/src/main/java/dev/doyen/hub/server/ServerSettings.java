package dev.doyen.hub.server;

import dev.doyen.elector.audit.AuditLog;
import dev.doyen.elector.http.AddressLimits;
import dev.doyen.elector.http.Audience;
import dev.doyen.elector.http.HttpLimits;
import dev.doyen.elector.http.TlsSettings;
import dev.doyen.elector.http.TrustedProxies;
import dev.doyen.hub.server.websocket.SessionLimits;
import java.net.InetAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The addresses and limits of a server.
 *
 * @param bind the address to which the ports of the hub, the elector API and the probes are bound
 * @param port the port of the hub and its pages; 0 selects any free port
 * @param electorPort the port of the elector API; 0 selects any free port
 * @param probePort the port of the probes; 0 selects any free port
 * @param channel the election that the elector reports; if the server has a demo page, also the channel of that page
 * @param claimTtlMillis the ttl of the claims' leases in milliseconds; the claim of the demo page promises the same ttl
 *     (rule C7)
 * @param maxHubConnections the maximum number of connections on the hub's port
 * @param drain the time over which the server disconnects clients when it shuts down; zero disconnects all clients at
 *     once
 * @param perAddress the limits of one client address on the ports of the hub and the elector
 * @param sessions the limits of one WebSocket
 * @param proxies the proxies in front of the hub's port whose statements about client addresses are trusted
 * @param data the directory in which a single hub stores the revocations of tokens; if empty, a restart of the hub
 *     loses the revocations
 * @param tls the TLS of the ports; the server closes it
 * @param audit the audit log; the server closes it
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
        AddressLimits perAddress,
        SessionLimits sessions,
        TrustedProxies proxies,
        Optional<Path> data,
        TlsSettings tls,
        AuditLog audit) {

    /** The maximum number of connections on the elector's port. */
    static final int MAX_ELECTOR_CONNECTIONS = 2_000;

    /** The lower bound of a claim's ttl (rule C7). The upper bound is {@link #MAX_CLAIM_TTL_MILLIS}. */
    public static final long MIN_CLAIM_TTL_MILLIS = 1_000;

    public static final long MAX_CLAIM_TTL_MILLIS = 60_000;

    /**
     * The maximum drain time. By default, Kubernetes kills a pod 30 s after it asks the pod to stop, so a longer drain
     * needs a longer grace period of the pod.
     */
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

    /** Returns a copy with this directory for the data of the hub. */
    public ServerSettings withData(Path directory) {
        return new ServerSettings(
                bind,
                port,
                electorPort,
                probePort,
                channel,
                claimTtlMillis,
                maxHubConnections,
                drain,
                perAddress,
                sessions,
                proxies,
                Optional.of(directory),
                tls,
                audit);
    }

    /** Returns the maximum number of connections on the ports of the hub, the elector API and the probes together. */
    public int maxConnections() {
        return maxHubConnections + MAX_ELECTOR_CONNECTIONS + HttpLimits.MAX_PROBE_CONNECTIONS;
    }

    /** Returns the machines that can reach this server. */
    public Audience audience() {
        return bind.isLoopbackAddress() ? Audience.LOOPBACK : Audience.NETWORK;
    }
}
