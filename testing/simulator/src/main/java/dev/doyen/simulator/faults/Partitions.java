package dev.doyen.simulator.faults;

import dev.doyen.simulator.world.SeededRandom;
import dev.doyen.simulator.world.World;

/**
 * A fault that cuts a process off from the store for up to 40 s.
 *
 * <p>Answers in flight are lost too, if they arrive during the fault. Requests in flight still reach the store.
 */
public final class Partitions extends Recurring {

    public Partitions(double meanSeconds) {
        super(meanSeconds);
    }

    @Override
    void strike(World world, SeededRandom random) {
        oneOf(world, random).cutOff(random.seconds(1, 40));
    }
}
