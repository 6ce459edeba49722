package dev.doyen.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.ElectionView;
import dev.doyen.elector.metrics.Tally;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PrometheusTextTest {

    private static final long SECOND = 1_000_000_000L;
    private static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");

    @Test
    void each_metric_is_written_with_its_type() {
        var tally = Tally.startedAt(0)
                .elected()
                .named(true, 2 * SECOND)
                .lost(LossCause.EXPIRED)
                .named(false, 5 * SECOND)
                .wrote(3_000_000)
                .wrote(7 * SECOND)
                .failed()
                .at(6 * SECOND);

        var text = PrometheusText.of("orders", "me", view("you"), tally, 4);

        assertThat(text.lines())
                .contains(
                        "# TYPE leader_election_master_status gauge",
                        "leader_election_master_status{name=\"orders\"} 0",
                        "elector_elections_won{election=\"orders\"} 1",
                        "elector_elections_lost{election=\"orders\",cause=\"expired\"} 1",
                        "elector_elections_lost{election=\"orders\",cause=\"resigned\"} 0",
                        "doyen_term{election=\"orders\"} 8",
                        "doyen_transitions_total{election=\"orders\"} 2",
                        "doyen_leaderless_seconds_total{election=\"orders\"} 3.0",
                        "doyen_store_write_seconds_bucket{election=\"orders\",le=\"0.001\"} 0",
                        "doyen_store_write_seconds_bucket{election=\"orders\",le=\"0.005\"} 1",
                        "doyen_store_write_seconds_bucket{election=\"orders\",le=\"5.0\"} 1",
                        "doyen_store_write_seconds_bucket{election=\"orders\",le=\"+Inf\"} 2",
                        "doyen_store_write_seconds_sum{election=\"orders\"} 7.003",
                        "doyen_store_write_seconds_count{election=\"orders\"} 2",
                        "doyen_store_failures_total{election=\"orders\"} 1",
                        "doyen_event_streams{election=\"orders\"} 4");
        assertThat(PrometheusText.of("orders", "you", view("you"), tally, 4))
                .contains("leader_election_master_status{name=\"orders\"} 1\n");
    }

    @Test
    void a_name_with_quotes_is_escaped() {
        var text = PrometheusText.of("a\"b\\c", "me", Optional.empty(), Tally.startedAt(0), 0);

        assertThat(text).contains("{name=\"a\\\"b\\\\c\"} 0", "doyen_term{election=\"a\\\"b\\\\c\"} 0");
    }

    @Test
    void non_expiring_leases_are_shown() {
        var remarked = new ElectionView(
                "orders", Optional.empty(), 8, NOW, NOW, Optional.empty(), Optional.of("may not update"));

        assertThat(PrometheusText.of("orders", "me", Optional.of(remarked), Tally.startedAt(0), 0))
                .contains("doyen_non_expiring_lease{election=\"orders\"} 1\n");
        assertThat(PrometheusText.of("orders", "me", view("you"), Tally.startedAt(0), 0))
                .contains("doyen_non_expiring_lease{election=\"orders\"} 0\n");
    }

    private static Optional<ElectionView> view(String leader) {
        return Optional.of(new ElectionView("orders", Optional.of(new Leader(leader, 8)), 8, NOW, NOW));
    }
}
