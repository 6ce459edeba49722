package dev.doyen.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.simulator.world.Trace;
import dev.doyen.simulator.world.Violation;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Runs the lease machine first with faults and then without faults.
 *
 * <p>The test covers rules L1 to L7, L9 and L10 of docs/spec/lease.md, and the takeover policy.
 */
class SimulationTest {

    private static final int RUNS = 4_000;

    @Test
    void all_promises_are_kept_in_every_run() throws InterruptedException {
        SeedBatch.Result result = SeedBatch.run(1, RUNS, Runtime.getRuntime().availableProcessors(), done -> {});

        assertThat(result.violation()
                        .map(found -> found.violation().map(Violation::sentence) + "; replay it with: ./dev sim "
                                + found.seed()))
                .isEmpty();
        assertThat(result.runs()).isEqualTo(RUNS);
        // The runs must contain enough events for a meaningful test.
        assertThat(result.total().terms()).isGreaterThan(3L * RUNS);
        assertThat(result.total().refusedActs())
                .as("number of acts of former leaders that the fence rejected")
                .isGreaterThan(RUNS);
    }

    @Test
    void a_seed_gives_the_same_run_each_time() {
        assertThat(story(7)).isNotEmpty().isEqualTo(story(7)).isNotEqualTo(story(8));
    }

    private static List<String> story(long seed) {
        List<String> lines = new ArrayList<>();
        Simulation.run(seed, Trace.to(lines::add));
        return lines;
    }
}
