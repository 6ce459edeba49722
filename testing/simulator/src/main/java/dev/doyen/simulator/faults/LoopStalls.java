package dev.doyen.simulator.faults;

import dev.doyen.simulator.world.Dice;
import dev.doyen.simulator.world.World;

/**
 * The thread of an election loop gets no CPU time.
 *
 * <p>The work of the same process continues.
 */
public final class LoopStalls extends Recurring {

    public LoopStalls(double meanSeconds) {
        super(meanSeconds);
    }

    @Override
    void strike(World world, Dice dice) {
        oneOf(world, dice).stallLoop(dice.seconds(0.5, 20));
    }
}
