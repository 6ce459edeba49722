package dev.doyen.simulator.faults;

import dev.doyen.simulator.world.SeededRandom;
import dev.doyen.simulator.world.World;

/**
 * A fault that sets a wall clock forward or back by seconds or hours. A clock is set back only on a host that is never
 * suspended.
 */
public final class WallJumps extends Recurring {

    public WallJumps(double meanSeconds) {
        super(meanSeconds);
    }

    @Override
    void strike(World world, SeededRandom random) {
        double size = random.chance(0.7) ? 20_000 : 7_200_000;
        oneOf(world, random).jumpWall((long) random.between(-size, size));
    }
}
