package dev.doyen.server.member;

import dev.doyen.HealthCheck;
import dev.doyen.cluster.ClusterSettings;
import dev.doyen.elector.Orders;
import dev.doyen.server.ListenAddress;
import java.util.Optional;

/**
 * What a process that stands in an election over a membership is told once.
 *
 * @param election the election to stand in, and to speak for
 * @param manner how the members elect
 * @param cluster how the others are found
 * @param priority 0 to 100
 * @param http where who leads is told
 * @param probes where probes are answered
 * @param orders from whom orders are taken over HTTP
 */
public record MemberPlan(
        String election,
        RingManner manner,
        ClusterSettings cluster,
        int priority,
        Optional<HealthCheck> health,
        ListenAddress http,
        ListenAddress probes,
        Orders orders) {

    /** Refuses what no election could be opened with, before a port is. */
    public MemberPlan {
        var settings = new OnRing(manner).settings(election, priority);
        health.ifPresent(settings::health);
        manner.check(cluster);
    }
}
