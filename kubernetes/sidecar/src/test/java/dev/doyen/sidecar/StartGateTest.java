package dev.doyen.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class StartGateTest {

    private static final long NOW = Math.addExact(Long.MAX_VALUE, -5);
    private static final long PATIENCE = 10_000_000_000L;

    @Test
    void the_app_may_start_as_soon_as_a_leader_is_known_and_stays_started() {
        var gate = StartGate.startedAt(NOW).called();

        assertThat(gate.seen(false).isOpenAt(NOW + PATIENCE - 1, false)).isFalse();
        assertThat(gate.seen(true).isOpenAt(NOW, false)).isTrue();
        assertThat(gate.seen(true).seen(false).isOpenAt(NOW, false)).isTrue();
    }

    @Test
    void without_a_leader_the_app_may_start_after_ten_seconds_if_a_call_of_the_store_has_ended() {
        var gate = StartGate.startedAt(NOW);

        assertThat(gate.called().isOpenAt(NOW + PATIENCE, false)).isTrue();
        assertThat(gate.isOpenAt(NOW + PATIENCE, false)).as("a slow start").isFalse();
    }

    @Test
    void the_app_may_start_at_once_if_the_candidate_waits_for_the_app() {
        assertThat(StartGate.startedAt(NOW).isOpenAt(NOW, true)).isTrue();
    }

    @Test
    void a_missing_request_delays_readiness_for_at_most_half_a_minute() { // M8
        var gate = StartGate.startedAt(NOW);
        long limit = NOW + 3 * PATIENCE;

        assertThat(gate.delaysReadinessAt(NOW, true)).isTrue();
        assertThat(gate.delaysReadinessAt(limit - 1, true)).isTrue();
        assertThat(gate.delaysReadinessAt(limit, true)).isFalse();
        assertThat(gate.delaysReadinessAt(NOW, false)).isFalse();
    }
}
