package dev.doyen.simulator.faults;

import dev.doyen.simulator.world.SeededRandom;
import dev.doyen.simulator.world.SimProcess;
import dev.doyen.simulator.world.World;

/**
 * A fault in which a process crashes and starts again later.
 *
 * <p>The new process has the same id, a new incarnation, and no state of the old process.
 */
public final class Crashes extends Recurring {

    public Crashes(double meanSeconds) {
        super(meanSeconds);
    }

    @Override
    void strike(World world, SeededRandom random) {
        SimProcess process = oneOf(world, random);
        process.crash();
        world.agenda().after(random.seconds(0.05, 15), process::start);
    }
}
