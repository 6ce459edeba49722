package dev.doyen.simulator.invariants;

import dev.doyen.lease.LeaseInput;
import dev.doyen.simulator.world.SimCandidate;
import dev.doyen.simulator.world.Violation;
import dev.doyen.simulator.world.Witness;

/** A machine that asks to be woken at once, again and again, would eat a core: a run takes so many inputs at most. */
final class NoBusyLoop implements Witness {

    /** A run of the unharmed machine takes some two thousand. */
    private static final int MOST = 100_000;

    private int inputs;

    @Override
    public void stepped(SimCandidate candidate, LeaseInput input) {
        if (++inputs > MOST) {
            throw new Violation("NoBusyLoop", candidate + " took input number " + MOST + " of this run: " + input);
        }
    }
}
