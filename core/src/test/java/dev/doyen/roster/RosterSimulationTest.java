package dev.doyen.roster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** W1 to W3 and L of docs/spec/ranking.md, in worlds full of faults. {@code -Droster.seeds=N} runs more of them. */
class RosterSimulationTest {

    private static final long SEEDS = Long.getLong("roster.seeds", 150);
    private static final long FIRST = Long.getLong("roster.first", 1);

    @Test
    void promises_are_kept_in_every_world() {
        var marks = new TreeMap<String, Integer>();
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            try {
                new RosterWorld(seed, marks).run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(
                        "seed " + seed + " (-Droster.first=" + seed + " -Droster.seeds=1): " + e.getMessage(), e);
            }
        }
        assertThat(marks)
                .as("what the worlds have seen")
                .containsKeys("crashed", "closed", "doubled", "lost", "led", "installed", "put out")
                .containsKeys("the first in rank leads")
                .containsKeys("lost leading: EXPIRED", "lost leading: SUSPENDED", "lost leading: SUPERSEDED")
                .containsKeys("lost leading: RESIGNED", "lost leading: CLOSED");
        if (Boolean.getBoolean("roster.marks")) {
            System.out.println(marks);
        }
    }
}
