package dev.doyen.simulator.faults;

import dev.doyen.health.Eligibility;
import dev.doyen.simulator.world.SeededRandom;
import dev.doyen.simulator.world.SimProcess;
import dev.doyen.simulator.world.World;
import java.util.List;

/**
 * A fault that lowers the eligibility of a process for some time.
 *
 * <p>The eligibility is then LAST_RESORT, UNFIT or PAUSED.
 */
public final class HealthFaults extends Recurring {

    private static final List<Eligibility> AILING =
            List.of(Eligibility.LAST_RESORT, Eligibility.UNFIT, Eligibility.PAUSED);

    public HealthFaults(double meanSeconds) {
        super(meanSeconds);
    }

    @Override
    void strike(World world, SeededRandom random) {
        SimProcess process = oneOf(world, random);
        Eligibility eligibility = AILING.get(random.below(AILING.size()));
        process.candidates().forEach(candidate -> candidate.judge(eligibility));
        world.agenda()
                .after(
                        random.seconds(0.5, 40),
                        () -> process.candidates().forEach(candidate -> candidate.judge(Eligibility.FIT)));
    }
}
