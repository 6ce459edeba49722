package dev.doyen.server.member;

import dev.doyen.cluster.ClusterSettings;
import dev.doyen.ring.RingAlgorithm;
import dev.doyen.ring.RingOrder;
import dev.doyen.ring.RingTiming;
import java.time.Duration;

/**
 * The settings of an election on a ring that this process was started with.
 *
 * @param follow how soon a silent leader is replaced
 * @param algorithm how the winner is found
 * @param order which of the candidates with the highest priority is elected
 */
public record RingManner(Duration follow, RingAlgorithm algorithm, RingOrder order) {

    /** Returns how long a leader leads after its last confirmation. */
    public Duration lead() {
        return RingTiming.ofFollow(follow).lead();
    }

    /**
     * Rejects durations that cannot work with those of the cluster.
     *
     * @throws IllegalArgumentException with a sentence
     */
    public void check(ClusterSettings cluster) {
        RingTiming.ofFollow(follow).checkSilence(cluster.silence());
    }
}
