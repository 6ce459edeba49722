package dev.doyen.simulator.invariants;

import dev.doyen.lease.Grant;
import dev.doyen.lease.LeaseInput;
import dev.doyen.simulator.world.SimCandidate;
import dev.doyen.simulator.world.Violation;
import dev.doyen.simulator.world.Witness;
import dev.doyen.store.LeaseRecord;
import dev.doyen.store.VersionedLease;
import java.util.HashMap;
import java.util.Map;

/**
 * Rules L1, L4, L5 in true time: a claim ends within D/(1-rho) of the <em>sending</em> of the last write that the store
 * really carried out under its term; no machine keeps a grant past a step that found it lapsed; and it asks to be woken
 * no later than the grant lapses.
 */
public final class ClaimsAreBounded implements Witness {

    private static final String NAME = "ClaimsAreBounded";

    /** Wall clocks are read in whole milliseconds. */
    private static final long READING_NANOS = 2_000_000;

    private final double rho;
    private final Map<SimCandidate, Held> held = new HashMap<>();

    private record Held(long term, long sentAt) {}

    /** With clock rates that lie within {@code rho} of 1. */
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
                candidate.state().grant().orElseThrow().term(),
                candidate.world().now());
    }

    @Override
    public void claimEnded(SimCandidate candidate, long term, long from, long to) {
        bound(candidate, term, to);
    }

    @Override
    public void stepped(SimCandidate candidate, LeaseInput input) {
        candidate.state().grant().ifPresent(grant -> enforced(candidate, grant, input));
    }

    private void bound(SimCandidate candidate, long term, long until) {
        Held last = held.get(candidate);
        if (last == null || last.term() < term) {
            throw new Violation(NAME, candidate + " leads in term " + term + ", which the store never gave it");
        }
        // A later term of the same incarnation may be stored already while the answer is on its way.
        double most = candidate.process().timing().deadline().toNanos() / (1 - rho) + READING_NANOS;
        if (last.term() == term && until - last.sentAt() > most) {
            throw new Violation(
                    NAME,
                    candidate + " leads in term " + term + " until " + (until - last.sentAt()) / 1e9
                            + " s after the sending of its last stored write; " + most / 1e9 + " s is the most");
        }
    }

    private static void enforced(SimCandidate candidate, Grant grant, LeaseInput input) {
        // A write may be confirmed whose send the wall clock has left behind meanwhile: the next input ends that term.
        if (!(input instanceof LeaseInput.Answered) && !grant.holdsAt(input.at())) {
            throw new Violation(NAME, candidate + " keeps term " + grant.term() + ", which has lapsed, after " + input);
        }
        long lapses = grant.sentAt().nanos() + grant.deadline().toNanos();
        if (candidate.wakeAtNanos() - lapses > 0) {
            throw new Violation(NAME, candidate + " is not to be woken when term " + grant.term() + " lapses");
        }
    }
}
