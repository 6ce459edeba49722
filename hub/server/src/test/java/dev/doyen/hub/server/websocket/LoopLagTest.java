package dev.doyen.hub.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LoopLagTest {

    private static final long WINDOW = LoopLag.WINDOW_NANOS;
    /** The start of the first window. A monotonic clock may return any number. */
    private static final long BEGIN = Long.MAX_VALUE - WINDOW / 2;

    private final LoopLag lag = new LoopLag(BEGIN);

    @Test
    void the_longest_wait_counts() {
        lag.record(5, BEGIN + 1);
        lag.record(9, BEGIN + 2);
        lag.record(7, BEGIN + 3);

        assertThat(lag.maxNanos(BEGIN + 4)).isEqualTo(9);
    }

    @Test
    void a_wait_counts_in_its_window_and_in_the_next_one() {
        lag.record(9, BEGIN + 2);
        lag.record(3, BEGIN + WINDOW);

        assertThat(lag.maxNanos(BEGIN + 2 * WINDOW - 1)).isEqualTo(9);
        lag.record(4, BEGIN + 2 * WINDOW);
        assertThat(lag.maxNanos(BEGIN + 2 * WINDOW)).isEqualTo(4);
    }

    @Test
    void an_old_wait_does_not_count_although_no_input_has_followed() {
        lag.record(9, BEGIN + 2);

        assertThat(lag.maxNanos(BEGIN + 2 * WINDOW - 1)).isEqualTo(9);
        assertThat(lag.maxNanos(BEGIN + 2 * WINDOW)).isZero();
        lag.record(1, BEGIN + 3 * WINDOW);
        assertThat(lag.maxNanos(BEGIN + 3 * WINDOW)).isEqualTo(1);
    }
}
