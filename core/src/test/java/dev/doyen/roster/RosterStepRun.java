package dev.doyen.roster;

import dev.doyen.mutants.SeededWorld;
import dev.doyen.mutants.Steps;
import java.util.List;

/** No world, but all steps; the violation names those that are red. */
public final class RosterStepRun implements SeededWorld {

    @Override
    public void run(long seed) {
        List<String> red = Steps.red(RosterMachineTest.class);
        if (!red.isEmpty()) {
            throw new AssertionError(red);
        }
    }
}
