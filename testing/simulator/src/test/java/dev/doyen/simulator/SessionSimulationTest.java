package dev.doyen.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.jvms.JvmProcess;
import dev.doyen.simulator.sessions.SessionSimulation;
import dev.doyen.simulator.world.Trace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Runs the shipped driver and machine with sessions and batches under seeded faults (rule L12). */
@ExtendWith(Quietly.class)
class SessionSimulationTest {

    private static final int RUNS = Integer.getInteger("session.runs", 100);

    /**
     * The number of seeds that two JVMs run. Few seeds are enough, because each cause found so far changed at least
     * 40 % of them.
     */
    private static final long REPEATED = 12;

    @Test
    void many_elections_of_one_session_keep_every_promise() {
        long terms = 0;
        for (long seed = 1; seed <= RUNS; seed++) {
            SessionSimulation.Outcome outcome = SessionSimulation.run(seed, Trace.NONE);
            assertThat(outcome.violation()).as("seed " + seed).isEmpty();
            terms += outcome.terms();
        }
        assertThat(terms / RUNS).as("a run has enough terms").isGreaterThan(10);
    }

    @Test
    void a_seed_gives_the_same_trace_in_another_jvm_and_in_another_order() throws IOException {
        String last = Long.toString(REPEATED);
        Process other = JvmProcess.builder(SessionDigests.class, List.of(last, "1"))
                .redirectError(JvmProcess.to("digests.log"))
                .start();
        try (var child = new JvmProcess("digests", other)) {
            List<String> here = SessionDigests.of(1, REPEATED);
            var output = new String(other.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(output.lines()).containsExactlyInAnyOrderElementsOf(here);
        }
    }
}
