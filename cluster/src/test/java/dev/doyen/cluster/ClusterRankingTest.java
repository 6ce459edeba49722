package dev.doyen.cluster;

import dev.doyen.Election;
import java.time.Duration;

/** The same by ranking. */
class ClusterRankingTest extends ClusterElectionTest {

    @Override
    Election open(ClusterMembership membership) {
        return Election.ranking("orders")
                .membership(membership)
                .ttl(Duration.ofSeconds(2))
                .settle(Duration.ofMillis(100))
                .open();
    }
}
