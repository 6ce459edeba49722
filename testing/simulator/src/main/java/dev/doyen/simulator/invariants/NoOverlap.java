package dev.doyen.simulator.invariants;

import dev.doyen.lease.LeaderLease;
import dev.doyen.simulator.world.SimCandidate;
import dev.doyen.simulator.world.Violation;
import dev.doyen.simulator.world.Witness;
import dev.doyen.simulator.world.World;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Checks that at most one candidate leads an election at any instant of true time.
 *
 * <p>A candidate leads while {@code isLeader()} returns true.
 *
 * <p>Two incarnations of one process count as two candidates. The check runs whenever a claim to lead can have begun,
 * because an overlap begins with the later of two claims. At the end of the run, a second check compares only the
 * recorded intervals of the claims.
 */
public final class NoOverlap implements Witness {

    private final List<SimCandidate> claiming = new ArrayList<>();
    private final List<Interval> intervals = new ArrayList<>();

    private record Interval(SimCandidate who, long term, long from, long to) {}

    @Override
    public void claims(SimCandidate candidate) {
        for (SimCandidate other : claiming) {
            if (other != candidate && other.election().equals(candidate.election()) && other.isLeader()) {
                throw new Violation(
                        "NoOverlap",
                        candidate + " leads in term " + termOf(candidate) + " while " + other + " leads in term "
                                + termOf(other));
            }
        }
        if (!claiming.contains(candidate)) {
            claiming.add(candidate);
        }
    }

    @Override
    public void claimEnded(SimCandidate candidate, long term, long from, long to) {
        claiming.remove(candidate);
        intervals.add(new Interval(candidate, term, from, to));
    }

    @Override
    public void finish(World world) {
        for (String election : world.elections()) {
            Interval before = null;
            for (Interval next : intervals.stream()
                    .filter(each -> each.who().election().equals(election))
                    .sorted(Comparator.comparingLong(Interval::from))
                    .toList()) {
                if (before != null && next.from() < before.to()) {
                    throw new Violation(
                            "NoOverlap",
                            next.who() + " in term " + next.term() + " from " + next.from() / 1e9 + " s, and "
                                    + before.who() + " in term " + before.term() + " until " + before.to() / 1e9
                                    + " s");
                }
                before = next;
            }
        }
    }

    private static long termOf(SimCandidate candidate) {
        return candidate.state().leaderLease().map(LeaderLease::term).orElse(0L);
    }
}
