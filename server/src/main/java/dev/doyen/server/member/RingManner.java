package dev.doyen.server.member;

import dev.doyen.cluster.ClusterSettings;
import dev.doyen.driver.PromiseFile;
import dev.doyen.ring.RingAlgorithm;
import dev.doyen.ring.RingOrder;
import dev.doyen.ring.RingTiming;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The settings of an election on a ring that this process was started with.
 *
 * @param follow how soon a silent leader is replaced
 * @param voters who votes, in quorum mode; nobody in AP mode
 * @param promises where this process keeps what it promises as a voter
 */
public record RingManner(
        Duration follow, List<String> voters, Optional<Path> promises, RingAlgorithm algorithm, RingOrder order) {

    public RingManner {
        voters = List.copyOf(voters);
    }

    /** Returns how long a leader leads after its last confirmation. */
    public Duration lead() {
        return RingTiming.ofFollow(follow).lead();
    }

    /** Returns a sentence about a setting that is probably a mistake. */
    public Optional<String> remark(ClusterSettings cluster) {
        if (voters.isEmpty() || voters.contains(cluster.id())) {
            return Optional.empty();
        }
        String file = promises.map(path -> " and has no use for " + path).orElse("");
        return Optional.of("\"" + cluster.id() + "\" is none of the voters " + voters
                + ": it may lead, but does not vote" + file + "; name it one of them by --id if it should");
    }

    /**
     * Rejects durations that cannot work with those of the cluster.
     *
     * @throws IllegalArgumentException with a sentence
     */
    public void check(ClusterSettings cluster) {
        RingTiming.ofFollow(follow).checkSilence(cluster.silence());
    }

    /**
     * Rejects a file of promises that it cannot have: while a voter is there twice, neither counts.
     *
     * @throws IllegalArgumentException with a sentence
     */
    public void check(String election, String id) {
        Optional<Path> own = promises.filter(file -> voters.contains(id));
        if (own.isPresent()) {
            try {
                new PromiseFile(own.get(), election, id).close();
            } catch (IOException e) {
                throw new IllegalArgumentException(own.get() + " cannot be closed (" + e.getMessage() + ")", e);
            }
        }
    }
}
