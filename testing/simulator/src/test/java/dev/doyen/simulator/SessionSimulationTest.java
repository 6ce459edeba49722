package dev.doyen.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.simulator.sessions.SessionSimulation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs the shipped driver and machine with sessions and batches under seeded faults (rule L12). */
@ExtendWith(Quietly.class)
class SessionSimulationTest {

    private static final int RUNS = Integer.getInteger("session.runs", 200);

    @Test
    void many_elections_of_one_session_keep_every_promise() {
        long terms = 0;
        for (long seed = 1; seed <= RUNS; seed++) {
            SessionSimulation.Outcome outcome = SessionSimulation.run(seed);
            assertThat(outcome.violation()).as("seed " + seed).isEmpty();
            terms += outcome.terms();
        }
        assertThat(terms / RUNS).as("a run has enough terms").isGreaterThan(10);
    }
}
