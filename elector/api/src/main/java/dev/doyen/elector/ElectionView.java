package dev.doyen.elector;

import dev.doyen.event.Explanation;
import dev.doyen.event.Leader;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A snapshot of one election.
 *
 * @param name the election
 * @param leader the leader; empty if there is none
 * @param lastTerm the highest term seen; 0 if no candidate has ever led
 * @param since when {@code leader} last changed
 * @param lastUpdate when this state was last confirmed, changed or not
 * @param remaining how long the leader leads without a further renewal; empty unless it is a candidate of this process,
 *     because other processes cannot know it
 * @param remark a sentence about a peculiarity of this election
 * @param noLeader why there is no leader, as far as this process knows; empty if there is one, or if the reason is
 *     unknown
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

    /** Creates the snapshot of an observer that is no candidate. */
    public ElectionView(String name, Optional<Leader> leader, long lastTerm, Instant since, Instant lastUpdate) {
        this(name, leader, lastTerm, since, lastUpdate, Optional.empty(), Optional.empty());
    }

    /** The leader's id, or the empty string, which no candidate has as its id. */
    String leaderIdOrEmpty() {
        return leader.map(Leader::id).orElse("");
    }

    /** Whether the leader and the term are the same as in {@code other}. */
    boolean sameLeaderAs(ElectionView other) {
        return leader.equals(other.leader) && lastTerm == other.lastTerm;
    }

    /** Whether the reason for a missing leader is the same as in {@code other}. */
    boolean sameReasonAs(ElectionView other) {
        return noLeader.map(Explanation::reason).equals(other.noLeader.map(Explanation::reason));
    }
}
