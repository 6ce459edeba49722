package dev.doyen.server.ring;

import dev.doyen.HealthCheck;
import dev.doyen.cluster.ClusterSettings;
import dev.doyen.driver.PromiseFile;
import dev.doyen.elector.Orders;
import dev.doyen.ring.RingAlgorithm;
import dev.doyen.server.ListenAddress;
import java.io.IOException;
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
        Orders orders) {

    /** What somebody may not have meant, in a sentence. */
    public Optional<String> remark() {
        if (voters.isEmpty() || voters.contains(cluster.id())) {
            return Optional.empty();
        }
        String file = promises.map(path -> " and has no use for " + path).orElse("");
        return Optional.of("\"" + cluster.id() + "\" is none of the voters " + voters
                + ": it may lead, but does not vote" + file + "; name it one of them by --id if it should");
    }

    /**
     * Refuses a file of promises that this process cannot have: before it joins, for while a voter is there twice, neither
     * counts.
     *
     * @throws IllegalArgumentException if another has it open, or it cannot be written, with a sentence
     */
    void checkPromises() {
        Optional<Path> own = promises.filter(file -> voters.contains(cluster.id()));
        if (own.isPresent()) {
            try {
                new PromiseFile(own.get(), election, cluster.id()).close();
            } catch (IOException e) {
                throw new IllegalArgumentException(own.get() + " cannot be closed (" + e.getMessage() + ")", e);
            }
        }
    }
}
