package dev.doyen.simulator.faults;

import dev.doyen.simulator.world.SeededRandom;
import dev.doyen.simulator.world.SimProcess;
import dev.doyen.simulator.world.World;

/**
 * A fault in which a process crashes and starts again later, with the same id and a new incarnation. The new process
 * has no state of the old process.
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
