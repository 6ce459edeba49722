package dev.doyen.simulator.faults;

import dev.doyen.simulator.world.Dice;
import dev.doyen.simulator.world.World;

/** A process is stopped by a signal, or by a collection, for up to 25 s; clocks go on. */
public final class Pauses extends Recurring {

    public Pauses(double meanSeconds) {
        super(meanSeconds);
    }

    @Override
    void strike(World world, Dice dice) {
        oneOf(world, dice).pause(dice.seconds(0.5, 25));
    }
}
