package dev.doyen.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LineLimiterTest {

    private static final long SECOND = 1_000_000_000;

    private final LineLimiter limiter = new LineLimiter(0);

    @Test
    void a_burst_is_permitted_and_then_a_rate() {
        assertThat(permitted(0)).isEqualTo(100);
        assertThat(permitted(SECOND)).isEqualTo(10);
        assertThat(permitted(SECOND + SECOND / 10 - 1)).isZero();
        assertThat(permitted(SECOND + SECOND / 10)).isEqualTo(1);
        assertThat(permitted(1_000 * SECOND))
                .as("the burst is the maximum after any time")
                .isEqualTo(100);
    }

    @Test
    void a_clock_that_stands_still_permits_nothing_more() {
        assertThat(permitted(5)).isEqualTo(100);
        assertThat(permitted(4)).isZero();
    }

    @Test
    void lines_left_out_are_counted_by_kind_until_they_are_reported() {
        assertThat(limiter.takeLeftOut()).isEmpty();
        permitted(0);
        limiter.takeLeftOut();
        limiter.permits("Lost EXPIRED", 0);
        limiter.permits("Elected", 0);
        limiter.permits("Elected", 0);
        assertThat(limiter.takeLeftOut())
                .contains("3 lines were left out, because more than 10 lines per second were due:"
                        + " 2 Elected, 1 Lost EXPIRED");
        assertThat(limiter.takeLeftOut()).isEmpty();
    }

    private int permitted(long nowNanos) {
        int lines = 0;
        while (limiter.permits("line", nowNanos)) {
            lines++;
        }
        return lines;
    }
}
