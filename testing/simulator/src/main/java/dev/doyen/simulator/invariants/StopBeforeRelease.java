package dev.doyen.simulator.invariants;

import dev.doyen.lease.LeaseEffect;
import dev.doyen.simulator.world.SimCandidate;
import dev.doyen.simulator.world.Violation;
import dev.doyen.simulator.world.Witness;
import java.util.HashMap;
import java.util.Map;

/**
 * Checks rule L6: a candidate releases the lease only after its work has stopped.
 *
 * <p>No work of a term acts after the release.
 */
public final class StopBeforeRelease implements Witness {

    private static final String NAME = "StopBeforeRelease";

    private final Map<SimCandidate, Long> released = new HashMap<>();

    @Override
    public void sent(SimCandidate candidate, LeaseEffect.Write write) {
        if (write.next().isHeld()) {
            return;
        }
        candidate.work().filter(work -> !work.hasStopped()).ifPresent(work -> {
            throw new Violation(
                    NAME, candidate + " releases the lease while the work of term " + work.term() + " continues");
        });
        released.merge(candidate, write.next().term(), Math::max);
    }

    @Override
    public void acted(SimCandidate candidate, long term) {
        if (term <= released.getOrDefault(candidate, 0L)) {
            throw new Violation(NAME, candidate + " acts in term " + term + ", whose lease it has released");
        }
    }
}
