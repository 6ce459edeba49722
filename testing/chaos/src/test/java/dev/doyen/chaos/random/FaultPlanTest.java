package dev.doyen.chaos.random;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.chaos.random.FaultPlan.Planned;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class FaultPlanTest {

    private static final List<FaultKind> ALL = List.of(FaultKind.values());
    private static final Duration TTL = Duration.ofSeconds(2);

    @Test
    void equal_seeds_plan_equal_faults() {
        assertThat(plan(1, 100)).isEqualTo(plan(1, 100)).isNotEqualTo(plan(2, 100));
    }

    @Test
    void each_round_has_every_kind_of_fault_once() {
        List<FaultKind> kinds =
                plan(1, 2 * ALL.size()).stream().map(Planned::kind).toList();
        assertThat(kinds.subList(0, ALL.size())).containsExactlyInAnyOrderElementsOf(ALL);
        assertThat(kinds.subList(ALL.size(), kinds.size())).containsExactlyInAnyOrderElementsOf(ALL);
    }

    @Test
    void a_short_stop_is_shorter_than_the_ttl_and_a_long_stop_and_a_hang_are_longer() {
        assertThat(plan(1, 1000)).allSatisfy(planned -> {
            switch (planned.kind()) {
                case STOP_SHORT -> assertThat(planned.lasts()).isPositive().isLessThan(TTL);
                case STOP_LONG, HANG -> assertThat(planned.lasts()).isGreaterThan(TTL);
                default -> assertThat(planned.lasts()).isLessThanOrEqualTo(TTL.multipliedBy(3));
            }
        });
    }

    @Test
    void every_election_has_faults() {
        assertThat(plan(1, 100)).extracting(Planned::election).contains(0, 1, 2);
    }

    private static List<Planned> plan(long seed, int faults) {
        var plan = new FaultPlan(seed, ALL, 3, TTL);
        return Stream.generate(plan::next).limit(faults).toList();
    }
}
