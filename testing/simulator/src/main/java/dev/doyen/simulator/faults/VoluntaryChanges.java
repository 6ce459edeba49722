package dev.doyen.simulator.faults;

import dev.doyen.simulator.world.SeededRandom;
import dev.doyen.simulator.world.SimCandidate;
import dev.doyen.simulator.world.SimProcess;
import dev.doyen.simulator.world.World;

/**
 * Voluntary changes, which are not faults. Candidates resign, withdraw and campaign again, or leave and rejoin as a
 * new incarnation.
 */
public final class VoluntaryChanges extends Recurring {

    public VoluntaryChanges(double meanSeconds) {
        super(meanSeconds);
    }

    @Override
    void strike(World world, SeededRandom random) {
        SimProcess process = oneOf(world, random);
        if (process.candidates().isEmpty()) {
            return;
        }
        SimCandidate candidate =
                process.candidates().get(random.below(process.candidates().size()));
        double whim = random.unit();
        if (candidate.hasEnded()) {
            process.rejoin(candidate);
        } else if (whim < 0.5) {
            candidate.resign(random.chance(0.5) ? "" : oneOf(world, random).id());
        } else if (whim < 0.75) {
            candidate.withdraw();
            world.agenda().after(random.seconds(0, 20), candidate::campaign);
        } else {
            candidate.leave();
        }
    }
}
