package dev.doyen.spring;

import dev.doyen.group.settings.RingAlgorithm;
import dev.doyen.group.settings.RingOrder;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * The settings under {@code doyen.ring.}, for elections among the processes of a cluster, without a store.
 *
 * <p>They are the same in all processes, except for listen.
 *
 * @param peers The addresses of all processes, as host:port. The list may contain this process, and processes that do
 *     not run. At most 200.
 * @param dns A DNS name with the addresses of all processes, such as a headless Service, instead of peers.
 * @param listen The host and port on which the others reach this process. The port 100 above it is also used.
 * @param secret The secret with which the processes encrypt their messages; 16 to 1000 characters. Required beyond
 *     localhost.
 * @param cluster The name of the cluster. Processes of other clusters cannot join.
 * @param detection Time after which a silent process is suspected. 500 ms to 1 min.
 * @param electionTimeout How long others wait for a silent leader. Up to 1 h, and at least 2.2 times detection and 1 s.
 * @param algorithm The algorithm that finds the winner.
 * @param order Which candidate is elected among those of the same priority: oldest, lowest-id or highest-id.
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

    /** Omits the secret. */
    @Override
    public String toString() {
        return "cluster \"" + cluster + "\", listening on " + listen;
    }
}
