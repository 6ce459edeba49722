package dev.doyen.ring;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** S1, S2, S3 and L of docs/spec/ring.md, in worlds full of faults. {@code -Dring.seeds=N} runs more of them. */
class RingSimulationTest {

    private static final long SEEDS = Long.getLong("ring.seeds", 100);
    private static final long FIRST = Long.getLong("ring.first", 1);

    @ParameterizedTest
    @EnumSource
    void promises_are_kept_in_every_world(RingAlgorithm algorithm) {
        var marks = new TreeMap<String, Integer>();
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            try {
                new RingWorld(algorithm, seed, marks).run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(
                        algorithm + ", seed " + seed + " (-Dring.first=" + seed + " -Dring.seeds=1): " + e.getMessage(),
                        e);
            }
        }
        assertThat(marks).as("what the worlds have seen").containsKeys(seenBy(algorithm));
        if (Boolean.getBoolean("ring.marks")) {
            System.out.println(algorithm + " " + marks);
        }
    }

    private static String[] seenBy(RingAlgorithm algorithm) {
        return Map.of(
                        RingAlgorithm.CHANG_ROBERTS,
                        "sent Elect,dropped: REPEATED",
                        RingAlgorithm.PETERSON,
                        "sent Compare,sent Chosen,dropped: REPEATED,dropped: OUT_OF_ORDER")
                .get(algorithm)
                .concat(",sent Elected,sent Beat,sent Nack,crashed,doubled,lost,led,won a later round")
                .concat(",dropped: PAST,dropped: NOT_KEPT,dropped: NOT_FROM_PREDECESSOR,lost leading: EXPIRED")
                .concat(",lost leading: SUSPENDED,lost leading: SUPERSEDED,lost leading: RESIGNED")
                .split(",");
    }
}
