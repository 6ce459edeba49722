package dev.doyen.group.process;

import dev.doyen.cluster.ClusterSettings;
import dev.doyen.group.settings.RingAlgorithm;
import dev.doyen.group.settings.RingOrder;
import dev.doyen.group.settings.RingTiming;
import java.time.Duration;

/**
 * The settings of an election on a ring.
 *
 * @param electionTimeout the time after which a silent leader is replaced (election timeout)
 * @param algorithm how the members find the winner
 * @param order which of the candidates with the highest priority is elected
 */
public record RingElectionSettings(Duration electionTimeout, RingAlgorithm algorithm, RingOrder order) {

    /** Returns how long a leader leads after its last confirmation (leader lease). */
    public Duration leaderLease() {
        return RingTiming.ofElectionTimeout(electionTimeout).leaderLease();
    }

    /**
     * Rejects durations that do not fit those of the cluster.
     *
     * @throws IllegalArgumentException with a sentence
     */
    public void check(ClusterSettings cluster) {
        RingTiming.ofElectionTimeout(electionTimeout).checkSilence(cluster.silence());
    }
}
