package dev.doyen.elector;

import dev.doyen.event.Explanation;
import dev.doyen.event.Leader;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A snapshot of one election.
 *
 * @param name the name of the election
 * @param leader the leader; empty if nobody leads
 * @param lastTerm the highest known term; 0 if no candidate has ever led
 * @param since the time at which {@code leader} last changed
 * @param lastUpdate the time at which this state was last confirmed, even if the state did not change
 * @param remaining the time for which the leader leads without a further renewal. Empty if the leader is a candidate of
 *     another process, because only that process can determine the time
 * @param remark a sentence about an unusual property of this election, such as non-expiring leases
 * @param noLeader the reason why no leader is known; empty if a leader is known, or if the reason is unknown
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

    /** Creates a snapshot without a reason for a missing leader. */
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

    /** Creates the snapshot of an observer that is not a candidate. */
    public ElectionView(String name, Optional<Leader> leader, long lastTerm, Instant since, Instant lastUpdate) {
        this(name, leader, lastTerm, since, lastUpdate, Optional.empty(), Optional.empty());
    }

    /** Returns the leader's id; the empty string if nobody leads. No candidate has the empty string as its id. */
    String leaderIdOrEmpty() {
        return leader.map(Leader::id).orElse("");
    }

    /** Returns true if the leader and the term are the same as in {@code other}. */
    boolean sameLeaderAs(ElectionView other) {
        return leader.equals(other.leader) && lastTerm == other.lastTerm;
    }

    /** Returns true if the reason for a missing leader is the same as in {@code other}. */
    boolean sameReasonAs(ElectionView other) {
        return noLeader.map(Explanation::reason).equals(other.noLeader.map(Explanation::reason));
    }
}
