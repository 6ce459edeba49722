package dev.doyen.server.member;

import dev.doyen.cluster.ClusterSettings;
import java.time.Duration;
import java.util.Optional;

/** How the members elect, as this process is told once: what {@code doyen ring} and {@code doyen ranking} do not share. */
public sealed interface Manner permits RingManner, RankingManner {

    /** As the console's page knows it. */
    String name();

    /** After "an election". */
    String words();

    /** For how long a leader leads after what confirmed it. */
    Duration lead();

    /** Whether a leader can name who follows it. */
    boolean handsOver();

    /** What somebody may not have meant, in a sentence. */
    Optional<String> remark(ClusterSettings cluster);

    /**
     * Rejects durations that cannot work with those of the cluster.
     *
     * @throws IllegalArgumentException with a sentence
     */
    default void check(ClusterSettings cluster) {}

    /**
     * Refuses what this process could not do, before it joins.
     *
     * @throws IllegalArgumentException with a sentence
     */
    default void check(String election, String id) {}

    /** An election that has counted nothing yet. */
    Contest contest();
}
