package dev.doyen.simulator.faults;

import dev.doyen.simulator.world.SeededRandom;
import dev.doyen.simulator.world.World;

/**
 * A fault in which the store does not answer for up to 15 s.
 *
 * <p>As in a restart, the store loses no data.
 */
public final class StoreOutages extends Recurring {

    public StoreOutages(double meanSeconds) {
        super(meanSeconds);
    }

    @Override
    void strike(World world, SeededRandom random) {
        world.trace("store", "is down");
        world.store().setDown(true);
        world.agenda().after(random.seconds(0.2, 15), () -> {
            world.trace("store", "is back");
            world.store().setDown(false);
        });
    }
}
