package dev.doyen.ring;

import dev.doyen.mutants.SeededWorld;
import java.util.TreeMap;

/** A world without voters; of even seeds for Chang-Roberts, of odd ones for Peterson. */
public final class RingSeedRun implements SeededWorld {

    @Override
    public void run(long seed) {
        run(seed, false);
    }

    private static void run(long seed, boolean hasVoters) {
        var algorithm = seed % 2 == 0 ? RingAlgorithm.CHANG_ROBERTS : RingAlgorithm.PETERSON;
        new RingWorld(algorithm, hasVoters, seed, new TreeMap<>()).run();
    }

    /** The same with voters. */
    public static final class WithVoters implements SeededWorld {

        @Override
        public void run(long seed) {
            RingSeedRun.run(seed, true);
        }
    }
}
