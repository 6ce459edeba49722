package dev.doyen.simulator.faults;

import dev.doyen.simulator.world.Dice;
import dev.doyen.simulator.world.World;

/** A host is suspended for up to a minute. Its monotonic clock stands still, and its wall clock continues. */
public final class Suspensions extends Recurring {

    public Suspensions(double meanSeconds) {
        super(meanSeconds);
    }

    @Override
    void strike(World world, Dice dice) {
        oneOf(world, dice).suspend(dice.seconds(1, 60));
    }
}
