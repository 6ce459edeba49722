package dev.doyen.simulator.invariants;

import dev.doyen.health.Eligibility;
import dev.doyen.lease.LeaseEffect;
import dev.doyen.simulator.world.SimCandidate;
import dev.doyen.simulator.world.Violation;
import dev.doyen.simulator.world.Witness;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;

/**
 * Checks rules M5 and M8: only a healthy candidate that precedes the leader asks it to step down.
 *
 * <p>The generation counts first, the priority second. So the leadership never moves by request from a healthy candidate
 * to a candidate of an older generation. The invariant also checks that a holder writes its generation.
 */
public final class RequestsHaveAReason implements Witness {

    private static final String NAME = "RequestsHaveAReason";

    @Override
    public void sent(SimCandidate candidate, LeaseEffect.Write write) {
        LeaseRecord next = write.next();
        if (!next.isHeld()) {
            return;
        }
        boolean own = next.incarnation().equals(candidate.me().incarnation());
        if (own) {
            checkGeneration(candidate, next.notes());
        } else if (next.notes().stepDown().isPresent()) {
            checkRequest(candidate, next.notes());
        }
    }

    private static void checkGeneration(SimCandidate candidate, LeaseNotes written) {
        long generation = candidate.state().eligibility() == Eligibility.LAST_RESORT
                ? 0
                : candidate.process().priority().generation();
        if (written.generation() != generation) {
            throw new Violation(
                    NAME, candidate + " writes generation " + written.generation() + " instead of " + generation);
        }
    }

    private static void checkRequest(SimCandidate candidate, LeaseNotes leader) {
        var mine = candidate.process().priority();
        boolean precedes = mine.generation() > leader.generation()
                || (mine.generation() == leader.generation() && mine.level() > leader.priority());
        if (!precedes || candidate.state().eligibility() != Eligibility.FIT) {
            throw new Violation(
                    NAME,
                    candidate + " (" + mine + ", " + candidate.state().eligibility() + ") asks a leader of generation "
                            + leader.generation() + " and priority " + leader.priority() + " to step down");
        }
    }
}
