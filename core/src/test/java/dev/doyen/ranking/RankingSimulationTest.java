package dev.doyen.ranking;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeMap;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What docs/spec/ranking.md promises, in worlds full of faults: on a hub that grants claims never two leaders at one instant,
 * and rising terms; elsewhere one leader once membership is stable. {@code -Dranking.seeds=N} runs more of them.
 */
@Execution(ExecutionMode.CONCURRENT)
class RankingSimulationTest {

    private static final long SEEDS = Long.getLong("ranking.seeds", 100);
    private static final long FIRST = Long.getLong("ranking.first", 1);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void promises_are_kept_in_every_world(boolean claimsAreGranted) {
        var marks = new TreeMap<String, Integer>();
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            try {
                new RankingWorld(seed, claimsAreGranted, marks).run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(
                        (claimsAreGranted ? "with" : "without") + " claims, seed " + seed + " (-Dranking.first=" + seed
                                + " -Dranking.seeds=1): " + e.getMessage(),
                        e);
            }
        }
        assertThat(marks)
                .as("what the worlds have seen")
                .containsKeys(
                        "partition",
                        "empty",
                        "all closed",
                        "cut, forgotten",
                        "cut, resumed",
                        "frozen",
                        "suspended",
                        "killed",
                        "resigned",
                        "stranger",
                        "led",
                        "the first in rank leads",
                        "the second leads")
                .containsKeys(claimsAreGranted ? new String[] {"slow", "handed over in calm"} : new String[] {"led"});
        if (Boolean.getBoolean("ranking.marks")) {
            System.out.println((claimsAreGranted ? "with claims " : "without claims ") + marks);
        }
    }
}
