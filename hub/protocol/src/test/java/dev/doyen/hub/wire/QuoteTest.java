package dev.doyen.hub.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QuoteTest {

    @Test
    void text_above_the_limit_is_shortened() {
        assertThat(Quote.of("x".repeat(255))).isEqualTo('"' + "x".repeat(255) + '"');
        assertThat(Quote.of("x".repeat(256))).isEqualTo('"' + "x".repeat(255) + "...\"");
    }

    @Test
    void a_cut_splits_no_surrogate_pair() {
        assertThat(Quote.of("x".repeat(254) + "\uD83D\uDC51")).isEqualTo('"' + "x".repeat(254) + "...\"");
        assertThat(Quote.of("x".repeat(253) + "\uD83D\uDC51x")).isEqualTo('"' + "x".repeat(253) + "\uD83D\uDC51...\"");
    }
}
