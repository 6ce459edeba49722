package dev.doyen.simulator.faults;

import dev.doyen.lease.Fitness;
import dev.doyen.simulator.world.SeededRandom;
import dev.doyen.simulator.world.SimProcess;
import dev.doyen.simulator.world.World;
import java.util.List;

/** A process becomes unhealthy, a last resort or paused, and recovers some time later. */
public final class HealthFaults extends Recurring {

    private static final List<Fitness> AILING = List.of(Fitness.LAST_RESORT, Fitness.UNFIT, Fitness.PAUSED);

    public HealthFaults(double meanSeconds) {
        super(meanSeconds);
    }

    @Override
    void strike(World world, SeededRandom random) {
        SimProcess process = oneOf(world, random);
        Fitness fitness = AILING.get(random.below(AILING.size()));
        process.candidates().forEach(candidate -> candidate.judge(fitness));
        world.agenda()
                .after(
                        random.seconds(0.5, 40),
                        () -> process.candidates().forEach(candidate -> candidate.judge(Fitness.FIT)));
    }
}
