package dev.doyen.ranking;

import dev.doyen.mutants.SeededWorld;
import dev.doyen.mutants.Steps;
import java.util.List;

/** No seeded world, but the thirteen races; the violation names those that were lost. */
public final class RaceRun implements SeededWorld {

    @Override
    public void run(long seed) {
        List<String> lost = Steps.red(RacesTest.class);
        if (!lost.isEmpty()) {
            throw new AssertionError(lost);
        }
    }
}
