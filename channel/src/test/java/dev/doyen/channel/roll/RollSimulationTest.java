package dev.doyen.channel.roll;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.ring.RingTiming;
import java.time.Duration;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** P1 to P6 of docs/spec/ring.md, in worlds full of faults. {@code -Droll.seeds=N} runs more of them. */
class RollSimulationTest {

    private static final long SEEDS = Long.getLong("roll.seeds", 150);
    private static final long FIRST = Long.getLong("roll.first", 1);

    @Test
    void the_defaults_of_a_ring_leave_a_leader_room_for_a_silent_member() { // R13
        Duration silence = RollState.silence(Duration.ofSeconds(1));
        assertThat(silence).isEqualTo(Duration.ofMillis(4_100));
        RingTiming.ofFollow(RingTiming.DEFAULT_FOLLOW).checkSilence(silence);
        assertThatThrownBy(() -> RingTiming.ofFollow(Duration.ofSeconds(5)).checkSilence(silence))
                .hasMessageContaining("raise follow to 7885 ms or more");
    }

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
