package dev.doyen.hub;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Runs a whole hub with seeded random inputs. A failure prints its seed, and {@code -Dseed=N} repeats the run. */
@Execution(ExecutionMode.CONCURRENT)
class HubSimulationTest {

    private static final int SEEDS = Integer.getInteger("hub.seeds", 400);
    private static final int STEPS = 250;

    @Test
    void at_most_one_client_leads_terms_rise_and_rejections_stay_private() {
        String one = System.getProperty("seed");
        if (one != null) {
            new HubSimulation(Long.parseLong(one)).run(STEPS);
            return;
        }
        long grants = 0;
        long refusals = 0;
        long fenced = 0;
        long endedBare = 0;
        long secondWorkers = 0;
        long keptNumbers = 0;
        long steppedDown = 0;
        long waitedFor = 0;
        long saves = 0;
        long statesReceived = 0;
        for (long seed = 0; seed < SEEDS; seed++) {
            var simulation = new HubSimulation(seed);
            try {
                simulation.run(STEPS);
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + seed + " fails; run it alone with -Dseed=" + seed, e);
            }
            grants += simulation.grants;
            refusals += simulation.refusals;
            fenced += simulation.fenced;
            endedBare += simulation.endedBare;
            secondWorkers += simulation.secondWorkers;
            keptNumbers += simulation.keptNumbers;
            steppedDown += simulation.steppedDown;
            waitedFor += simulation.waitedFor;
            saves += simulation.saves;
            statesReceived += simulation.statesReceived;
        }
        assertThat(grants).as("the runs grant enough claims").isGreaterThan(2_000);
        assertThat(refusals).isGreaterThan(2_000);
        assertThat(fenced).isGreaterThan(200);
        assertThat(endedBare).isGreaterThan(200);
        assertThat(secondWorkers).isGreaterThan(200);
        assertThat(keptNumbers).isGreaterThan(40);
        assertThat(steppedDown).isGreaterThan(200);
        assertThat(waitedFor).isGreaterThan(8);
        assertThat(saves).isGreaterThan(200);
        assertThat(statesReceived).isGreaterThan(40);
    }
}
