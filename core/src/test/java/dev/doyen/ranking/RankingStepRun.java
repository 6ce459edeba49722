package dev.doyen.ranking;

import dev.doyen.mutants.SeededWorld;
import dev.doyen.mutants.Steps;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** No world, but all vectors and steps; the violation names those that are red. */
public final class RankingStepRun implements SeededWorld {

    @Override
    public void run(long seed) {
        var red = new ArrayList<String>();
        RankingVectorsTest.vectors().forEach(file -> {
            try {
                RankingVectorsTest.replay(file, 0);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } catch (AssertionError | RuntimeException e) {
                red.add(String.valueOf(file.getFileName()).replace(".json", ""));
            }
        });
        for (Class<?> steps : List.of(RankingMachineTest.class, PresenceDataTest.class, CheckpointsTest.class)) {
            red.addAll(Steps.red(steps));
        }
        if (!red.isEmpty()) {
            throw new AssertionError(red);
        }
    }
}
