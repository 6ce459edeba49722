package dev.doyen.simulator.faults;

import dev.doyen.simulator.world.Dice;
import dev.doyen.simulator.world.Network;
import dev.doyen.simulator.world.World;

/**
 * The network delays, reorders, loses and duplicates messages, and hides the outcome of writes.
 *
 * <p>Each kind has its own rate, which may be zero.
 */
public final class BadNetwork implements Fault {

    @Override
    public void begin(World world) {
        Dice dice = world.dice().split();
        Network network = world.network();
        network.slow = some(dice, 0.3);
        network.verySlow = some(dice, 0.12);
        network.lostRequests = some(dice, 0.1);
        network.lostReplies = some(dice, 0.1);
        network.duplicates = some(dice, 0.15);
        network.ambiguous = some(dice, 0.15);
        network.stale = some(dice, 0.2);
        network.lostNotices = some(dice, 0.3);
        network.refusals = dice.unit();
    }

    /** {@link World#heal} resets the network. */
    @Override
    public void lift() {}

    private static double some(Dice dice, double most) {
        return dice.chance(0.3) ? 0 : dice.between(0, most);
    }
}
