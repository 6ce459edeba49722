package dev.doyen.sidecar;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests how long a missing step-down request delays the readiness of a pod (rule M8). */
class StartGateTest {

    @Test
    void a_missing_request_delays_readiness_for_at_most_half_a_minute() { // M8
        long start = Long.MAX_VALUE - 1;
        var gate = StartGate.startedAt(start);
        long limit = start + StartGate.REQUEST_PATIENCE.toNanos();
        assertThat(gate.delaysReadinessAt(start, true)).isTrue();
        assertThat(gate.delaysReadinessAt(limit - 1, true)).isTrue();
        assertThat(gate.delaysReadinessAt(limit, true)).isFalse();
        assertThat(gate.delaysReadinessAt(start, false)).isFalse();
    }
}
