package dev.doyen.stores.quorum;

import dev.doyen.mutants.SeededWorld;
import java.util.Optional;

/**
 * A simulated quorum under faults, while members are added, removed and replaced. The quorum has 3 or 5 founders and 2
 * more processes.
 */
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
