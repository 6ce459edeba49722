package dev.doyen.simulator.faults;

import dev.doyen.simulator.world.Network;
import dev.doyen.simulator.world.SeededRandom;
import dev.doyen.simulator.world.World;

/**
 * A fault in which the network disturbs messages.
 *
 * <p>The network delays, reorders, loses and duplicates messages, and hides the outcome of writes. Each kind of
 * disturbance has its own rate, which can be zero.
 */
public final class BadNetwork implements Fault {

    @Override
    public void begin(World world) {
        SeededRandom random = world.random().split();
        Network network = world.network();
        network.slow = some(random, 0.3);
        network.verySlow = some(random, 0.12);
        network.lostRequests = some(random, 0.1);
        network.lostReplies = some(random, 0.1);
        network.duplicates = some(random, 0.15);
        network.ambiguous = some(random, 0.15);
        network.stale = some(random, 0.2);
        network.lostNotices = some(random, 0.3);
        network.refusals = random.unit();
        network.missingRights = some(random, 0.5);
    }

    /** Does nothing, because {@link World#heal} resets the network. */
    @Override
    public void lift() {}

    private static double some(SeededRandom random, double most) {
        return random.chance(0.3) ? 0 : random.between(0, most);
    }
}
