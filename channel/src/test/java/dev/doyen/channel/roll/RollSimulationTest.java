package dev.doyen.channel.roll;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** P1 to P6 of docs/spec/ring.md, in worlds full of faults. {@code -Droll.seeds=N} runs more of them. */
class RollSimulationTest {

    private static final long SEEDS = Long.getLong("roll.seeds", 150);
    private static final long FIRST = Long.getLong("roll.first", 1);

    @Test
    void promises_are_kept_in_every_world() {
        var marks = new TreeMap<String, Integer>();
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            try {
                new RollWorld(seed, marks).run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(
                        "seed " + seed + " (-Droll.first=" + seed + " -Droll.seeds=1): " + e.getMessage(), e);
            }
        }
        assertThat(marks)
                .as("what the worlds have seen")
                .containsKeys("crashed", "closed", "cut", "back", "back on another connection", "paused", "onlooker")
                .containsKeys("entered twice", "installed", "said who is silent");
        if (Boolean.getBoolean("roll.marks")) {
            System.out.println(marks);
        }
    }
}
