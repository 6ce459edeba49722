package dev.doyen.simulator.faults;

import dev.doyen.simulator.world.Dice;
import dev.doyen.simulator.world.SimProcess;
import dev.doyen.simulator.world.World;

/** A process crashes and starts again later, with the same id and a new incarnation. It has no memory of its past. */
public final class Crashes extends Recurring {

    public Crashes(double meanSeconds) {
        super(meanSeconds);
    }

    @Override
    void strike(World world, Dice dice) {
        SimProcess process = oneOf(world, dice);
        process.crash();
        world.agenda().after(dice.seconds(0.05, 15), process::start);
    }
}
