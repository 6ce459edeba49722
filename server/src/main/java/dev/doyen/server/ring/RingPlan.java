package dev.doyen.server.ring;

import dev.doyen.HealthCheck;
import dev.doyen.cluster.ClusterSettings;
import dev.doyen.elector.Orders;
import dev.doyen.ring.RingAlgorithm;
import dev.doyen.server.ListenAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What {@code doyen ring} is told once.
 *
 * @param election the election to stand in, and to speak for
 * @param cluster how the others are found
 * @param follow how soon a silent leader is replaced
 * @param voters who votes, in quorum mode; nobody in AP mode
 * @param promises where this process keeps what it promises as a voter
 * @param priority 0 to 100
 * @param http where who leads is told
 * @param probes where probes are answered
 * @param orders from whom orders are taken over HTTP
 */
public record RingPlan(
        String election,
        ClusterSettings cluster,
        Duration follow,
        List<String> voters,
        Optional<Path> promises,
        RingAlgorithm algorithm,
        int priority,
        Optional<HealthCheck> health,
        ListenAddress http,
        ListenAddress probes,
        Orders orders) {}
