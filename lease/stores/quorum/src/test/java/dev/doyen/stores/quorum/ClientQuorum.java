package dev.doyen.stores.quorum;

import dev.doyen.mutants.SeededWorld;
import java.util.Optional;

/** A simulated quorum of three members under faults, with clients. */
public final class ClientQuorum implements SeededWorld {

    static final int CLIENTS = 3;

    @Override
    public void run(long seed) {
        Optional<String> fault = QuorumWorld.withClients(seed, CLIENTS).play();
        if (fault.isPresent()) {
            throw new AssertionError("seed " + seed + ": " + fault.get());
        }
    }
}
