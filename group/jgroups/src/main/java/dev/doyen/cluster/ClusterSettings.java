package dev.doyen.cluster;

import dev.doyen.store.support.SharedKey;
import dev.doyen.text.DurationText;
import dev.doyen.text.ElectionNames;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * A process's settings in a cluster.
 *
 * <p>The cluster's name, the secret, the detection time and the kind of discovery must be the same for all members.
 *
 * @param cluster the cluster's name. Processes of other clusters cannot join
 * @param id the name of this process, 1 to {@value #MAX_ID} bytes in UTF-8, unique in the cluster
 * @param bind the address to listen on. Loopback, unless other machines must reach this process
 * @param port the port to listen on, 1 to 65435. The failure detector uses the port {@value #SUSPICION_OFFSET} above it
 * @param discovery how the members find each other
 * @param secret the secret with which members encrypt all messages. A process without it cannot join.
 *     {@value #MIN_SECRET} to {@value #MAX_SECRET} characters. It may be empty only on loopback without multicast; then
 *     every local program can join
 * @param detection time after which a silent member is suspected, 500 ms to 1 min. A crashed member is detected at once
 */
public record ClusterSettings(
        String cluster,
        String id,
        InetAddress bind,
        int port,
        Discovery discovery,
        Optional<String> secret,
        Duration detection) {

    public static final int DEFAULT_PORT = 7800;
    public static final Duration DEFAULT_DETECTION = Duration.ofSeconds(3);

    /** How many heartbeats a member sends within the detection time. A suspicion is at most one heartbeat late. */
    static final int HEARTBEATS = 8;

    /**
     * How long a suspected member has time to answer. JGroups checks at this interval, so it may take twice as long.
     */
    static final Duration VERIFICATION = Duration.ofMillis(250);

    public static final int MAX_ID = 200;
    public static final int MIN_SECRET = SharedKey.MIN_SECRET;
    public static final int MAX_SECRET = SharedKey.MAX_SECRET;
    public static final int SUSPICION_OFFSET = 100;

    public ClusterSettings {
        ElectionNames.check("cluster name", cluster);
        ElectionNames.check("member id", id);
        int idBytes = id.getBytes(StandardCharsets.UTF_8).length;
        if (idBytes > MAX_ID) {
            throw new IllegalArgumentException("member id has " + idBytes + " bytes in UTF-8; at most " + MAX_ID);
        }
        checkPort("port", port);
        if (port + SUSPICION_OFFSET > 65_535) {
            throw new IllegalArgumentException("port is " + port + "; at most " + (65_535 - SUSPICION_OFFSET)
                    + ", for the port " + SUSPICION_OFFSET + " above it is used too");
        }
        if (detection.compareTo(Duration.ofMillis(500)) < 0 || detection.compareTo(Duration.ofMinutes(1)) > 0) {
            throw new IllegalArgumentException(
                    "detection is " + DurationText.of(detection) + "; its bounds are 500 ms and 1 min");
        }
        if (bind.isAnyLocalAddress()) {
            throw new IllegalArgumentException("the cluster is to listen on " + bind.getHostAddress()
                    + ", which is every address; name the one at which the others find this process");
        }
        if (secret.isEmpty() && !bind.isLoopbackAddress()) {
            throw new IllegalArgumentException("the cluster is to listen on " + bind.getHostAddress()
                    + ", which others can reach, and has no secret; give all members the same secret of at least "
                    + MIN_SECRET + " characters, or listen on 127.0.0.1");
        }
        if (secret.isEmpty() && discovery instanceof Discovery.Multicast) {
            // Multicast packets of other machines arrive even at a process that listens on loopback.
            throw new IllegalArgumentException(
                    "the others are found by multicast, which anybody can send, and there is no"
                            + " secret; give all members the same secret of at least " + MIN_SECRET + " characters");
        }
        secret.ifPresent(SharedKey::check);
    }

    /**
     * Returns settings for loopback without a secret, on port {@value #DEFAULT_PORT}.
     *
     * <p>The process is alone until {@link #discovery} is set.
     */
    public static ClusterSettings local(String cluster, String id) {
        return new ClusterSettings(
                cluster,
                id,
                InetAddress.getLoopbackAddress(),
                DEFAULT_PORT,
                new Discovery.Peers(List.of()),
                Optional.empty(),
                DEFAULT_DETECTION);
    }

    /** Sets the address and the port to listen on. Beyond loopback, set the secret first. */
    public ClusterSettings listeningOn(InetAddress address, int ownPort) {
        return new ClusterSettings(cluster, id, address, ownPort, discovery, secret, detection);
    }

    public ClusterSettings finding(Discovery others) {
        return new ClusterSettings(cluster, id, bind, port, others, secret, detection);
    }

    public ClusterSettings withSecret(String shared) {
        return new ClusterSettings(cluster, id, bind, port, discovery, Optional.of(shared), detection);
    }

    public ClusterSettings detecting(Duration within) {
        return new ClusterSettings(cluster, id, bind, port, discovery, secret, within);
    }

    /** Returns how long at most a silent member stays in the view: detection, one heartbeat, and the verification. */
    public Duration silence() {
        return detection.plus(detection.dividedBy(HEARTBEATS)).plus(VERIFICATION.multipliedBy(2));
    }

    static void checkPort(String what, int port) {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException(what + " is " + port + "; its bounds are 1 and 65535");
        }
    }

    /** Omits the secret. */
    @Override
    public String toString() {
        return "\"" + id + "\" of cluster \"" + cluster + "\" on " + bind.getHostAddress() + ":" + port;
    }
}
