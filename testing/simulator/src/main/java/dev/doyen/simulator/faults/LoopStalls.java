package dev.doyen.simulator.faults;

import dev.doyen.simulator.world.SeededRandom;
import dev.doyen.simulator.world.World;

/**
 * A fault in which the thread of an election loop gets no CPU time.
 *
 * <p>The work of the same process continues.
 */
public final class LoopStalls extends Recurring {

    public LoopStalls(double meanSeconds) {
        super(meanSeconds);
    }

    @Override
    void strike(World world, SeededRandom random) {
        oneOf(world, random).stallLoop(random.seconds(0.5, 20));
    }
}
