package dev.doyen.simulator.invariants;

import dev.doyen.lease.LeaseInput;
import dev.doyen.simulator.world.SimCandidate;
import dev.doyen.simulator.world.Violation;
import dev.doyen.simulator.world.Witness;

/**
 * Checks that a run has a limited number of inputs.
 *
 * <p>A machine that always requests an immediate wake-up would use a whole CPU core.
 */
final class NoBusyLoop implements Witness {

    /** The maximum number of inputs in a run. A run of the correct machine has about two thousand inputs. */
    private static final int MOST = 100_000;

    private int inputs;

    @Override
    public void stepped(SimCandidate candidate, LeaseInput input) {
        if (++inputs > MOST) {
            throw new Violation(
                    "NoBusyLoop",
                    candidate + " took input number " + inputs + " of this run; the limit is " + MOST + ": " + input);
        }
    }
}
