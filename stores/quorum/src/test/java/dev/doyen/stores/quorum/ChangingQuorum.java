package dev.doyen.stores.quorum;

import dev.doyen.mutants.SeededWorld;
import java.util.Optional;

/** A quorum under faults whose members are added, removed and replaced meanwhile. 3 or 5 found it, and 2 more are there. */
public final class ChangingQuorum implements SeededWorld {

    private static final int SPARES = 2;

    @Override
    public void run(long seed) {
        int founders = seed % 2 == 0 ? 3 : 5;
        Optional<String> fault = QuorumWorld.changing(seed, founders, SPARES).play();
        if (fault.isPresent()) {
            throw new AssertionError("seed " + seed + ": " + fault.get());
        }
    }
}
