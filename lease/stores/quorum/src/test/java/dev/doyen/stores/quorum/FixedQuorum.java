package dev.doyen.stores.quorum;

import dev.doyen.mutants.SeededWorld;
import java.util.Optional;

/**
 * A simulated quorum of three members under faults. A member that lost its directory joins again with the same address.
 */
public final class FixedQuorum implements SeededWorld {

    @Override
    public void run(long seed) {
        Optional<String> fault = new QuorumWorld(seed, file -> file).play();
        if (fault.isPresent()) {
            throw new AssertionError("seed " + seed + ": " + fault.get());
        }
    }
}
