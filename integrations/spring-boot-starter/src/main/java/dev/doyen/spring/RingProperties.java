package dev.doyen.spring;

import dev.doyen.group.settings.RingAlgorithm;
import dev.doyen.group.settings.RingOrder;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code doyen.ring.} for elections among the processes of a cluster, without a store.
 *
 * <p>All settings except {@code listen} must be equal in all processes.
 *
 * @param peers The addresses of all processes, as host:port. The list may contain this process and stopped processes.
 *     At most 200 addresses.
 * @param dns A DNS name that resolves to the addresses of all processes, such as the name of a headless Service. It
 *     replaces peers.
 * @param listen The host and port at which the other processes reach this process. This process also uses the port
 *     whose number is 100 higher.
 * @param secret The secret with which the processes encrypt their messages; 16 to 1000 characters. The secret is
 *     required unless all processes use localhost.
 * @param cluster The name of the cluster. Processes of other clusters cannot join.
 * @param detection The time after which a silent process is suspected. 500 ms to 1 min.
 * @param electionTimeout How long the other processes wait for a silent leader. At most 1 h, and at least 1 s plus
 *     2.2 times detection.
 * @param algorithm The algorithm that elects the leader.
 * @param order The order of candidates with the same priority, which decides the election: oldest, lowest-id or
 *     highest-id.
 */
public record RingProperties(
        @DefaultValue List<String> peers,
        @Nullable String dns,
        @DefaultValue("localhost:7800") String listen,
        @Nullable String secret,
        @DefaultValue("doyen") String cluster,
        @DefaultValue("3s") Duration detection,
        @DefaultValue("8s") Duration electionTimeout,
        @DefaultValue("chang-roberts") RingAlgorithm algorithm,
        @DefaultValue("oldest") RingOrder order) {

    public RingProperties {
        peers = List.copyOf(peers);
    }

    boolean isSet() {
        return !peers.isEmpty() || (dns != null && !dns.isBlank());
    }

    /** Returns a short text without the secret. */
    @Override
    public String toString() {
        return "cluster \"" + cluster + "\", listening on " + listen;
    }
}
