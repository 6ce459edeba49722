package dev.doyen.group.process;

import dev.doyen.cluster.ClusterSettings;
import dev.doyen.group.settings.RingAlgorithm;
import dev.doyen.group.settings.RingOrder;
import dev.doyen.group.settings.RingTiming;
import java.time.Duration;

/**
 * The settings of an election on a ring.
 *
 * @param electionTimeout the election timeout: the time after which a silent leader is replaced
 * @param algorithm the algorithm by which the members find the winner
 * @param order the order that selects one of the candidates with the highest priority
 */
public record RingElectionSettings(Duration electionTimeout, RingAlgorithm algorithm, RingOrder order) {

    /** Returns the leader lease: the time for which a leader leads after its last confirmation. */
    public Duration leaderLease() {
        return RingTiming.ofElectionTimeout(electionTimeout).leaderLease();
    }

    /**
     * Rejects durations that do not fit the durations of the cluster.
     *
     * @throws IllegalArgumentException if the durations do not fit; the message states the limit
     */
    public void check(ClusterSettings cluster) {
        RingTiming.ofElectionTimeout(electionTimeout).checkSilence(cluster.silence());
    }
}
