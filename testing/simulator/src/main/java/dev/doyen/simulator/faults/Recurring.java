package dev.doyen.simulator.faults;

import dev.doyen.simulator.world.SeededRandom;
import dev.doyen.simulator.world.SimCandidate;
import dev.doyen.simulator.world.SimProcess;
import dev.doyen.simulator.world.World;
import java.util.Optional;

/** A fault that recurs at random intervals around a mean. */
abstract class Recurring implements Fault {

    private final double meanSeconds;
    private boolean lifted;

    Recurring(double meanSeconds) {
        this.meanSeconds = meanSeconds;
    }

    abstract void strike(World world, SeededRandom random);

    @Override
    public final void begin(World world) {
        next(world, world.random().split());
    }

    @Override
    public final void lift() {
        lifted = true;
    }

    /**
     * Returns a random process, preferably a leader.
     *
     * <p>A fault that affects a leader is more likely to break a promise.
     */
    static SimProcess oneOf(World world, SeededRandom random) {
        if (random.chance(0.4)) {
            Optional<SimProcess> leading = world.processes().stream()
                    .filter(process -> process.candidates().stream().anyMatch(SimCandidate::isLeader))
                    .findFirst();
            if (leading.isPresent()) {
                return leading.get();
            }
        }
        return world.processes().get(random.below(world.processes().size()));
    }

    private void next(World world, SeededRandom random) {
        world.agenda().after(random.seconds(0.1 * meanSeconds, 1.9 * meanSeconds), () -> {
            if (!lifted) {
                strike(world, random);
                next(world, random);
            }
        });
    }
}
