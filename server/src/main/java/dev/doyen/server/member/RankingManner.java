package dev.doyen.server.member;

import dev.doyen.cluster.ClusterSettings;
import dev.doyen.ranking.RankingSettings;
import java.time.Duration;
import java.util.Optional;

/**
 * By ranking.
 *
 * @param ttl a leader that not all members answer leads on for 0.8 of this at most
 */
public record RankingManner(RankingOrder order, Duration ttl) implements Manner {

    @Override
    public String name() {
        return "ranking";
    }

    @Override
    public String words() {
        return "by ranking";
    }

    @Override
    public Duration lead() {
        return RankingSettings.DEFAULT.withTtl(ttl).safe();
    }

    @Override
    public boolean handsOver() {
        return false;
    }

    @Override
    public Optional<String> remark(ClusterSettings cluster) {
        if (lead().compareTo(cluster.detection()) >= 0) {
            return Optional.empty();
        }
        return Optional.of("when a machine is cut off, a leader stops that could go on: it leads for "
                + lead().toMillis()
                + " ms, 0.8 of the ttl, with a member that does not answer, and such a member is put out"
                + " after " + cluster.detection().toMillis() + " ms; raise --ttl, or lower --detection");
    }

    @Override
    public Contest contest() {
        return new ByRanking(this);
    }
}
