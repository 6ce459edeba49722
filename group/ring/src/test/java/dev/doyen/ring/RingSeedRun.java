package dev.doyen.ring;

import dev.doyen.group.settings.RingAlgorithm;
import dev.doyen.group.settings.RingOrder;
import dev.doyen.mutants.SeededWorld;
import java.util.TreeMap;

/**
 * Runs a {@link RingWorld} with the order {@code OLDEST}. Even seeds use the algorithm of Chang and Roberts, odd seeds
 * use Peterson's.
 */
public final class RingSeedRun implements SeededWorld {

    @Override
    public void run(long seed) {
        run(seed, RingOrder.OLDEST);
    }

    private static void run(long seed, RingOrder order) {
        var algorithm = seed % 2 == 0 ? RingAlgorithm.CHANG_ROBERTS : RingAlgorithm.PETERSON;
        new RingWorld(algorithm, order, seed, new TreeMap<>()).run();
    }

    /** Runs a world; its seed selects one of the orders. */
    public static final class InEachOrder implements SeededWorld {

        @Override
        public void run(long seed) {
            RingOrder[] orders = RingOrder.values();
            RingSeedRun.run(seed, orders[(int) (seed % orders.length)]);
        }
    }
}
