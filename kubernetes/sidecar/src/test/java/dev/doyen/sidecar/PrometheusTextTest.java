package dev.doyen.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.elector.ElectionView;
import dev.doyen.elector.metrics.StoreTally;
import dev.doyen.elector.metrics.Tally;
import dev.doyen.event.Leader;
import dev.doyen.event.LossCause;
import dev.doyen.metrics.StoreCall;
import dev.doyen.metrics.StoreErrorKind;
import dev.doyen.metrics.StoreOperation;
import dev.doyen.metrics.StoreOutcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PrometheusTextTest {

    private static final long SECOND = 1_000_000_000L;
    private static final Instant NOW = Instant.parse("2026-11-21T08:00:00Z");

    @Test
    void each_metric_is_written_with_its_type() {
        var tally = Tally.startedAt(0)
                .withElection()
                .withLeader(true, 2 * SECOND)
                .withJeopardy()
                .withLoss(LossCause.EXPIRED)
                .withOverrun(1)
                .withOverlap()
                .withLeader(false, 5 * SECOND)
                .at(6 * SECOND);
        var store = StoreTally.NONE
                .with(write(StoreOutcome.WRITTEN, true, Optional.empty(), 3_000_000))
                .with(write(StoreOutcome.WRITTEN, false, Optional.empty(), 7 * SECOND))
                .with(write(StoreOutcome.UNKNOWN, true, Optional.of(StoreErrorKind.UNKNOWN), SECOND));

        var text = PrometheusText.of("orders", "me", view("you"), tally, store, 4);

        var written = "{operation=\"compare_and_set\",outcome=\"written\"";
        assertThat(text.lines())
                .contains(
                        "# TYPE doyen_is_leader gauge",
                        "doyen_is_leader{election=\"orders\"} 0",
                        "doyen_transitions_total{election=\"orders\",reason=\"elected\"} 1",
                        "doyen_transitions_total{election=\"orders\",reason=\"expired\"} 1",
                        "doyen_transitions_total{election=\"orders\",reason=\"resigned\"} 0",
                        "doyen_transitions_total{election=\"orders\",reason=\"observed\"} 0",
                        "doyen_term{election=\"orders\"} 8",
                        "doyen_jeopardy_total{election=\"orders\"} 1",
                        "doyen_overlaps_total{election=\"orders\"} 1",
                        "doyen_tasks_overrun{election=\"orders\"} 1",
                        "doyen_lease_remaining_seconds{election=\"orders\"} 0.0",
                        "doyen_leaderless_seconds_total{election=\"orders\"} 3.0",
                        "# TYPE doyen_store_duration_seconds histogram",
                        "doyen_store_duration_seconds_bucket" + written + ",le=\"0.001\"} 0",
                        "doyen_store_duration_seconds_bucket" + written + ",le=\"0.005\"} 1",
                        "doyen_store_duration_seconds_bucket" + written + ",le=\"5.0\"} 1",
                        "doyen_store_duration_seconds_bucket" + written + ",le=\"+Inf\"} 2",
                        "doyen_store_duration_seconds_sum" + written + "} 7.003",
                        "doyen_store_duration_seconds_count" + written + "} 2",
                        "doyen_store_duration_seconds_count{operation=\"read\",outcome=\"failed\"} 0",
                        "doyen_renew_duration_seconds_count{outcome=\"written\"} 1",
                        "doyen_renew_duration_seconds_count{outcome=\"unknown\"} 1",
                        "doyen_store_errors_total{operation=\"compare_and_set\",kind=\"unknown\"} 1",
                        "doyen_store_errors_total{operation=\"read\",kind=\"away\"} 0",
                        "doyen_event_streams{port=\"elector\"} 4");
        assertThat(PrometheusText.of("orders", "you", view("you"), tally, store, 4))
                .contains("doyen_is_leader{election=\"orders\"} 1\n");
    }

    @Test
    void a_leader_shows_the_rest_of_its_lease() {
        var leads = new ElectionView(
                "orders",
                Optional.of(new Leader("me", 8)),
                8,
                NOW,
                NOW,
                Optional.of(Duration.ofMillis(6_500)),
                Optional.empty());

        assertThat(text(Optional.of(leads))).contains("doyen_lease_remaining_seconds{election=\"orders\"} 6.5\n");
    }

    @Test
    void a_name_with_quotes_is_escaped() {
        var text = PrometheusText.of("a\"b\\c", "me", Optional.empty(), Tally.startedAt(0), StoreTally.NONE, 0);

        assertThat(text)
                .contains("doyen_is_leader{election=\"a\\\"b\\\\c\"} 0", "doyen_term{election=\"a\\\"b\\\\c\"} 0");
    }

    @Test
    void non_expiring_leases_are_shown() {
        var remarked = new ElectionView(
                "orders", Optional.empty(), 8, NOW, NOW, Optional.empty(), Optional.of("may not update"));

        assertThat(text(Optional.of(remarked))).contains("doyen_non_expiring_lease{election=\"orders\"} 1\n");
        assertThat(text(view("you"))).contains("doyen_non_expiring_lease{election=\"orders\"} 0\n");
    }

    private static String text(Optional<ElectionView> view) {
        return PrometheusText.of("orders", "me", view, Tally.startedAt(0), StoreTally.NONE, 0);
    }

    private static StoreCall write(
            StoreOutcome outcome, boolean isRenewal, Optional<StoreErrorKind> error, long nanos) {
        return new StoreCall(StoreOperation.COMPARE_AND_SET, outcome, isRenewal, error, nanos);
    }

    private static Optional<ElectionView> view(String leader) {
        return Optional.of(new ElectionView("orders", Optional.of(new Leader(leader, 8)), 8, NOW, NOW));
    }
}
