package dev.doyen.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.benchmarks.contender.Entrant;
import dev.doyen.benchmarks.server.Servers;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class StoresTest {

    private static final Set<StoresMeasure> OF_SERVERS =
            Set.of(StoresMeasure.SERVER_READY, StoresMeasure.SERVER_MEMORY);

    /**
     * Tests the measurements with real processes, which the test freezes and kills. The test checks that each quantity
     * has values, but not whether the values are plausible.
     */
    @Tag("long")
    @Test
    void everything_is_measured_with_a_server_and_without_one() throws Exception {
        List<Entrant> entrants =
                List.of(Entrant.DOYEN_EMBEDDED_QUORUM, Entrant.DOYEN_ZOOKEEPER, Entrant.CURATOR_EMBEDDED);
        try (var servers = new Servers()) {
            var run = new Run(servers);
            List<Figure> figures = new Stores(entrants, new Stores.Rounds(1, 1, 1, 2, Duration.ofSeconds(1))).run(run);

            assertThat(run.hasFailed()).isFalse();
            for (Entrant entrant : entrants) {
                Map<String, Figure> measured = figures.stream()
                        .filter(each -> each.entrant() == entrant)
                        .collect(Collectors.toMap(Figure::what, each -> each));
                assertThat(measured.keySet())
                        .containsExactlyInAnyOrderElementsOf(Stream.of(StoresMeasure.values())
                                .filter(each -> !entrant.server().isEmbedded() || !OF_SERVERS.contains(each))
                                .filter(each -> each != StoresMeasure.SEGMENTS
                                        || run.remarks().isEmpty())
                                .map(StoresMeasure::label)
                                .toList());
                assertThat(measured.values())
                        .allSatisfy(figure -> assertThat(figure.sample().min()).isGreaterThanOrEqualTo(0));
                assertThat(measured.get(StoresMeasure.HAND_OVER.label())
                                .sample()
                                .min())
                        .isPositive();
                assertThat(measured.get(StoresMeasure.CANDIDATE_MEMORY.label())
                                .sample()
                                .n())
                        .isEqualTo(3);
            }
            assertThat(run.versions()).contains("ZooKeeper", "quorum of 3 members");
        }
    }

    @Test
    void the_table_has_a_line_for_each_measure_and_compares_with_the_peer() {
        var all = List.of(
                figure(Entrant.DOYEN_EMBEDDED_QUORUM, StoresMeasure.HAND_OVER, 5),
                figure(Entrant.DOYEN_ETCD, StoresMeasure.HAND_OVER, 40),
                figure(Entrant.DOYEN_ETCD, StoresMeasure.SERVER_READY, 300),
                figure(Stores.PEER, StoresMeasure.HAND_OVER, 10));

        assertThat(new StoresTable(all).markdown().lines())
                .contains(
                        "| measure | Doyen, quorum in the candidates | Doyen, etcd |"
                                + " Curator LeaderLatch, ZooKeeper in the candidates |",
                        "|---|--:|--:|--:|",
                        "| first start: server ready | - | 300 ms | - |",
                        "| handover between processes | 5 ms (x 0.500) | 40 ms (x 4) | 10 ms |")
                .hasSize(2 + StoresMeasure.values().length);
        assertThat(new Report(Map.of(), "./dev bench stores", all, List.of()).markdown())
                .contains("in parentheses by that of Curator LeaderLatch, ZooKeeper in the candidates", "(x 0.500)");
    }

    private static Figure figure(Entrant entrant, StoresMeasure measure, double value) {
        return new Figure(Stores.NAME, measure.label(), measure.unit(), entrant, Sample.of(value));
    }
}
