package dev.doyen.ring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.group.settings.RingAlgorithm;
import dev.doyen.group.settings.RingOrder;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests S1 to S5 and L of docs/spec/ring.md in worlds with many faults. The option {@code -Dring.seeds=N} sets the
 * number of worlds for each algorithm and order.
 */
class RingSimulationTest {

    private static final long SEEDS = Long.getLong("ring.seeds", 30);
    private static final long FIRST = Long.getLong("ring.first", 1);

    @ParameterizedTest
    @EnumSource
    void promises_are_kept_in_every_world(RingAlgorithm algorithm) {
        run(algorithm, RingOrder.OLDEST, seenBy(algorithm));
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "OLDEST")
    void promises_are_kept_in_every_order(RingOrder order) {
        for (RingAlgorithm algorithm : RingAlgorithm.values()) {
            run(algorithm, order, seenBy(algorithm));
        }
    }

    private static void run(RingAlgorithm algorithm, RingOrder order, String[] seen) {
        var marks = new TreeMap<String, Integer>();
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++) {
            try {
                new RingWorld(algorithm, order, seed, marks).run();
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError(
                        algorithm + " " + order + ", seed " + seed + " (-Dring.first=" + seed + " -Dring.seeds=1): "
                                + e.getMessage(),
                        e);
            }
        }
        assertThat(marks).as("these events happened in the worlds").containsKeys(seen);
        if (Boolean.getBoolean("ring.marks")) {
            System.out.println(algorithm + " " + order + " " + marks);
        }
    }

    private static String[] seenBy(RingAlgorithm algorithm) {
        return Map.of(
                        RingAlgorithm.CHANG_ROBERTS,
                        "sent Elect,dropped: REPEATED",
                        RingAlgorithm.PETERSON,
                        "sent Compare,sent Chosen,dropped: REPEATED,dropped: OUT_OF_ORDER")
                .get(algorithm)
                .concat(",sent Elected,sent Heartbeat,sent Nack,crashed,frozen,slow,doubled,lost,led,won a later round")
                .concat(",dropped: PAST,dropped: NOT_KEPT,dropped: NOT_FROM_PREDECESSOR,lost leading: EXPIRED")
                .concat(",lost leading: SUSPENDED,lost leading: SUPERSEDED,lost leading: RESIGNED")
                .concat(",lost leading: TRANSFERRED,handover failed: NOT_THERE")
                .concat(",saved,confirmed,sent StateRequest,sent StateResponse,began with a state")
                .split(",");
    }
}
