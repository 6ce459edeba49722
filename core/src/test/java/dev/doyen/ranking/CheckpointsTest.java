package dev.doyen.ranking;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.doyen.event.Moment;
import org.junit.jupiter.api.Test;

/** Hand-over state (docs/spec/ranking.md, K18). */
class CheckpointsTest {

    private static final Moment NOW = new Moment(Long.MAX_VALUE - 1, 0);

    private static Moment after(long millis) {
        return new Moment(NOW.nanos() + millis * 1_000_000, 0);
    }

    @Test
    void the_greatest_by_term_then_by_seq_is_kept_in_whatever_order_they_come() {
        Checkpoints seen = Checkpoints.none(10)
                .seen(new Checkpoint(2, 1, "b"), NOW)
                .seen(new Checkpoint(1, 9, "a"), NOW)
                .seen(new Checkpoint(2, 3, "d"), NOW)
                .seen(new Checkpoint(2, 2, "c"), NOW);
        assertThat(seen.greatest()).hasValue(new Checkpoint(2, 3, "d"));
        assertThat(seen.next(2, "e")).isEqualTo(new Checkpoint(2, 4, "e"));
        assertThat(seen.next(3, "e")).isEqualTo(new Checkpoint(3, 1, "e"));
        assertThat(Checkpoints.none(1).next(5, "x")).isEqualTo(new Checkpoint(5, 1, "x"));
    }

    @Test
    void it_is_written_again_before_half_the_rewound_messages_or_a_minute_have_passed() {
        Checkpoints seen = Checkpoints.none(6).seen(new Checkpoint(2, 1, "b"), NOW);
        assertThat(seen.passed().passed().renewal(3, NOW)).isEmpty();
        assertThat(seen.passed().passed().passed().renewal(3, NOW)).hasValue(new Checkpoint(3, 1, "b"));
        assertThat(seen.passed().passed().seen(new Checkpoint(1, 1, "old"), NOW).renewal(3, NOW))
                .as("an older one is a message like any other")
                .isPresent();
        assertThat(seen.renewal(3, after(59_999))).isEmpty();
        assertThat(seen.renewal(3, after(60_000))).isPresent();
        assertThat(Checkpoints.none(6).renewal(3, NOW)).isEmpty();
    }

    @Test
    void bounds() {
        assertThatThrownBy(() -> Checkpoints.none(0)).hasMessageContaining("rewind is 0; at least 1");
        assertThatThrownBy(() -> new Checkpoint(1, 1, "x".repeat(Checkpoints.MAX_STATE + 1)))
                .hasMessageContaining("16385 characters; at most 16384");
    }
}
