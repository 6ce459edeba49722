package dev.doyen.simulator.faults;

import dev.doyen.simulator.world.Dice;
import dev.doyen.simulator.world.SimCandidate;
import dev.doyen.simulator.world.SimProcess;
import dev.doyen.simulator.world.World;

/** Candidates resign, withdraw and campaign again, or leave and rejoin as a new incarnation. These are not faults. */
public final class Whims extends Recurring {

    public Whims(double meanSeconds) {
        super(meanSeconds);
    }

    @Override
    void strike(World world, Dice dice) {
        SimProcess process = oneOf(world, dice);
        if (process.candidates().isEmpty()) {
            return;
        }
        SimCandidate candidate =
                process.candidates().get(dice.below(process.candidates().size()));
        double whim = dice.unit();
        if (candidate.hasEnded()) {
            process.rejoin(candidate);
        } else if (whim < 0.5) {
            candidate.resign(dice.chance(0.5) ? "" : oneOf(world, dice).id());
        } else if (whim < 0.75) {
            candidate.withdraw();
            world.agenda().after(dice.seconds(0, 20), candidate::stand);
        } else {
            candidate.leave();
        }
    }
}
