package dev.doyen.simulator.faults;

import dev.doyen.simulator.world.SeededRandom;
import dev.doyen.simulator.world.World;

/**
 * A fault that stops a process for up to 25 s, like a garbage collection.
 *
 * <p>The clocks of the process continue.
 */
public final class Pauses extends Recurring {

    public Pauses(double meanSeconds) {
        super(meanSeconds);
    }

    @Override
    void strike(World world, SeededRandom random) {
        oneOf(world, random).pause(random.seconds(0.5, 25));
    }
}
