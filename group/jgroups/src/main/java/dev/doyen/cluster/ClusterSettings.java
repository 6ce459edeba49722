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
 * The settings of one process of a cluster.
 *
 * <p>The cluster's name, the secret, the detection time and the kind of discovery must be the same for all members.
 *
 * @param cluster the name of the cluster. Processes with another cluster name cannot join
 * @param id the name of this process, 1 to {@value #MAX_ID} bytes in UTF-8, unique in the cluster
 * @param bind the address to listen on. Use loopback, unless other machines must reach this process
 * @param port the port to listen on, 1 to 65435. The failure detector listens on this port plus
 *     {@value #SUSPICION_OFFSET}
 * @param discovery the method by which the members find each other
 * @param secret the secret with which members encrypt all messages. A process without the secret cannot join. The
 *     secret has {@value #MIN_SECRET} to {@value #MAX_SECRET} characters. The secret may be empty only on loopback
 *     without multicast. In that case every local program can join
 * @param detection the time after which a silent member is suspected, 500 ms to 1 min. A member whose process ends is
 *     suspected at once
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

    /**
     * The number of heartbeats that a member sends within the detection time. The failure detector suspects a silent
     * member at most one heartbeat interval after the detection time.
     */
    static final int HEARTBEATS = 8;

    /**
     * The time within which a suspected member must answer. JGroups checks at this interval, so a verification can take
     * twice as long.
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
                    + ", because the cluster also uses the port " + SUSPICION_OFFSET + " above it");
        }
        if (detection.compareTo(Duration.ofMillis(500)) < 0 || detection.compareTo(Duration.ofMinutes(1)) > 0) {
            throw new IllegalArgumentException(
                    "detection is " + DurationText.of(detection) + "; its bounds are 500 ms and 1 min");
        }
        if (bind.isAnyLocalAddress()) {
            throw new IllegalArgumentException("the cluster would listen on " + bind.getHostAddress()
                    + ", which means every address; give the address at which other members reach this process");
        }
        if (secret.isEmpty() && !bind.isLoopbackAddress()) {
            throw new IllegalArgumentException("the cluster would listen on " + bind.getHostAddress()
                    + ", which other machines can reach, and has no secret; give all members the same secret of at"
                    + " least " + MIN_SECRET + " characters, or listen on 127.0.0.1");
        }
        if (secret.isEmpty() && discovery instanceof Discovery.Multicast) {
            // A process that listens on loopback also receives multicast packets of other machines, so loopback does
            // not protect the process.
            throw new IllegalArgumentException(
                    "multicast discovery needs a secret, because every host of the network can send multicast;"
                            + " give all members the same secret of at least " + MIN_SECRET + " characters");
        }
        secret.ifPresent(SharedKey::check);
    }

    /**
     * Returns settings for loopback without a secret, on port {@value #DEFAULT_PORT}.
     *
     * <p>The process finds no other member until {@link #finding} sets a discovery.
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

    /**
     * Returns settings with this address and port to listen on. For an address other than loopback, set the secret
     * first.
     *
     * @throws IllegalArgumentException if the address is a wildcard address, if the address needs a secret and none is
     *     set, or if the port is not 1 to 65435
     */
    public ClusterSettings listeningOn(InetAddress address, int ownPort) {
        return new ClusterSettings(cluster, id, address, ownPort, discovery, secret, detection);
    }

    /** Returns settings with this method of discovery. */
    public ClusterSettings finding(Discovery others) {
        return new ClusterSettings(cluster, id, bind, port, others, secret, detection);
    }

    /**
     * Returns settings with this secret.
     *
     * @throws IllegalArgumentException if the secret is too short, too long, or has too few different characters
     */
    public ClusterSettings withSecret(String shared) {
        return new ClusterSettings(cluster, id, bind, port, discovery, Optional.of(shared), detection);
    }

    /**
     * Returns settings with this detection time.
     *
     * @throws IllegalArgumentException if the time is not 500 ms to 1 min
     */
    public ClusterSettings detecting(Duration within) {
        return new ClusterSettings(cluster, id, bind, port, discovery, secret, within);
    }

    /**
     * Returns the maximum time for which a silent member stays in the view. The result is the sum of the detection
     * time, one heartbeat interval, and twice {@link #VERIFICATION}.
     */
    public Duration silence() {
        return detection.plus(detection.dividedBy(HEARTBEATS)).plus(VERIFICATION.multipliedBy(2));
    }

    static void checkPort(String what, int port) {
        if (port < 1 || port > 65_535) {
            throw new IllegalArgumentException(what + " is " + port + "; its bounds are 1 and 65535");
        }
    }

    /** Returns the settings without the secret. */
    @Override
    public String toString() {
        return "\"" + id + "\" of cluster \"" + cluster + "\" on " + bind.getHostAddress() + ":" + port;
    }
}
