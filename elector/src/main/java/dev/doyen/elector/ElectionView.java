package dev.doyen.elector;

import dev.doyen.event.Leader;
import dev.doyen.lease.Explanation;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * One election as an observer sees it.
 *
 * @param name the election
 * @param leader who leads; empty if nobody does
 * @param lastTerm the greatest term seen; 0 if nobody has ever led
 * @param since when {@code leader} last changed
 * @param lastUpdate when this was last confirmed, changed or not
 * @param remaining for how long the leader leads even if nothing is renewed; empty unless it is a candidate of this
 *     process, for nobody else knows
 * @param remark what is unusual about this election here, as a sentence for people
 * @param noLeader why nobody leads, as far as this process knows; empty if somebody does, or there is nothing to say
 */
public record ElectionView(
        String name,
        Optional<Leader> leader,
        long lastTerm,
        Instant since,
        Instant lastUpdate,
        Optional<Duration> remaining,
        Optional<String> remark,
        Optional<Explanation> noLeader) {

    public ElectionView {
        if (lastTerm < 0) {
            throw new IllegalArgumentException("lastTerm (" + lastTerm + ") must not be negative");
        }
        if (leader.isPresent() && leader.get().term() != lastTerm) {
            throw new IllegalArgumentException("lastTerm (" + lastTerm + ") must be the leader's term ("
                    + leader.get().term() + ")");
        }
        if (leader.isPresent() && noLeader.isPresent()) {
            throw new IllegalArgumentException("noLeader (" + noLeader.get().sentence() + ") must be left out: \""
                    + leader.get().id() + "\" leads");
        }
    }

    /** With nothing to say about why nobody leads. */
    public ElectionView(
            String name,
            Optional<Leader> leader,
            long lastTerm,
            Instant since,
            Instant lastUpdate,
            Optional<Duration> remaining,
            Optional<String> remark) {
        this(name, leader, lastTerm, since, lastUpdate, remaining, remark, Optional.empty());
    }

    /** As an observer sees it that is no candidate. */
    public ElectionView(String name, Optional<Leader> leader, long lastTerm, Instant since, Instant lastUpdate) {
        this(name, leader, lastTerm, since, lastUpdate, Optional.empty(), Optional.empty());
    }

    /** The leader's id, or the empty string, which equals nobody's. */
    String leaderIdOrEmpty() {
        return leader.map(Leader::id).orElse("");
    }

    /** Whether a listener that knows {@code other} would learn nothing new about the leader from this. */
    boolean sameLeaderAs(ElectionView other) {
        return leader.equals(other.leader) && lastTerm == other.lastTerm;
    }

    /** Whether who knows {@code other} would learn no other reason why nobody leads from this. */
    boolean sameReasonAs(ElectionView other) {
        return noLeader.map(Explanation::reason).equals(other.noLeader.map(Explanation::reason));
    }
}
