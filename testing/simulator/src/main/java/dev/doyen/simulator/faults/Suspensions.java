package dev.doyen.simulator.faults;

import dev.doyen.simulator.world.SeededRandom;
import dev.doyen.simulator.world.World;

/**
 * A fault in which a host is suspended for up to a minute. The monotonic clock of the host stops, and its wall clock
 * continues.
 */
public final class Suspensions extends Recurring {

    public Suspensions(double meanSeconds) {
        super(meanSeconds);
    }

    @Override
    void strike(World world, SeededRandom random) {
        oneOf(world, random).suspend(random.seconds(1, 60));
    }
}
