package dev.doyen.simulator.invariants;

import dev.doyen.lease.LeaderLease;
import dev.doyen.lease.LeaseInput;
import dev.doyen.simulator.world.SimCandidate;
import dev.doyen.simulator.world.Violation;
import dev.doyen.simulator.world.Witness;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.VersionedLease;
import java.util.HashMap;
import java.util.Map;

/**
 * Checks rules L1, L4 and L5 in true time.
 *
 * <p>A candidate claims to lead while {@code isLeader()} returns true. D is the time for which a leader leads after it
 * has sent its last confirmed write (docs/spec/lease.md). The rate of each clock differs from 1 by at most rho.
 *
 * <ul>
 *   <li>A candidate claims to lead for at most D/(1-rho) after it <em>sent</em> the last write of its term that the
 *       store carried out.
 *   <li>A machine never ends a step with a leadership that has expired at the time of the step's input. The exception
 *       is a step whose input is the answer to a write.
 *   <li>A machine that leads requests a wake-up that is not later than the expiry of its leadership.
 * </ul>
 */
public final class ClaimsAreBounded implements Witness {

    private static final String NAME = "ClaimsAreBounded";

    /** The tolerance of a clock reading, because the wall clock has whole milliseconds. */
    private static final long READING_NANOS = 2_000_000;

    private final double rho;
    private final Map<SimCandidate, Held> held = new HashMap<>();

    private record Held(long term, long sentAt) {}

    /**
     * Creates the check.
     *
     * @param rho the maximum difference between the rate of a clock and 1
     */
    public ClaimsAreBounded(double rho) {
        this.rho = rho;
    }

    @Override
    public void committed(SimCandidate by, VersionedLease before, VersionedLease after, long sentAt) {
        LeaseRecord record = after.record().orElseThrow();
        if (record.isHeld()) {
            held.merge(
                    by,
                    new Held(record.term(), sentAt),
                    (old, next) -> old.term() == next.term() && old.sentAt() > next.sentAt() ? old : next);
        }
    }

    @Override
    public void claims(SimCandidate candidate) {
        bound(
                candidate,
                candidate.state().leaderLease().orElseThrow().term(),
                candidate.world().now());
    }

    @Override
    public void claimEnded(SimCandidate candidate, long term, long from, long to) {
        bound(candidate, term, to);
    }

    @Override
    public void stepped(SimCandidate candidate, LeaseInput input) {
        candidate.state().leaderLease().ifPresent(lease -> enforced(candidate, lease, input));
    }

    private void bound(SimCandidate candidate, long term, long until) {
        Held last = held.get(candidate);
        if (last == null || last.term() < term) {
            throw new Violation(NAME, candidate + " leads in term " + term + ", which the store never confirmed");
        }
        // Check only if the last stored write belongs to this term. The store can already contain a later term of the
        // same incarnation while the answer is in flight.
        double most = candidate.process().timing().deadline().toNanos() / (1 - rho) + READING_NANOS;
        if (last.term() == term && until - last.sentAt() > most) {
            throw new Violation(
                    NAME,
                    candidate + " leads in term " + term + " until " + (until - last.sentAt()) / 1e9
                            + " s after the send of its last stored write; the limit is " + most / 1e9 + " s");
        }
    }

    private static void enforced(SimCandidate candidate, LeaderLease grant, LeaseInput input) {
        // The deadline counts from the send of the write. So the answer can arrive after the wall clock has passed the
        // deadline. In this case the next input ends the term.
        if (!(input instanceof LeaseInput.Answered) && !grant.holdsAt(input.at())) {
            throw new Violation(
                    NAME, candidate + " still leads in term " + grant.term() + ", which has expired, after " + input);
        }
        long lapses = grant.sentAt().nanos() + grant.deadline().toNanos();
        if (candidate.wakeAtNanos() - lapses > 0) {
            throw new Violation(NAME, candidate + " requests no wake-up at the expiry of term " + grant.term());
        }
    }
}
