package dev.doyen.hub.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ReaderProgressTest {

    private final ReaderProgress pace = new ReaderProgress(1_000);

    @Test
    void a_reader_without_progress_is_too_slow() {
        pace.queued(5_000);
        pace.begin(5_000);
        pace.queued(20_000);
        assertThat(pace.isTooSlow(25_000)).isTrue();
    }

    @Test
    void a_reader_with_progress_is_not_too_slow() {
        pace.queued(5_000);
        pace.begin(5_000);
        for (int look = 1; look <= 10; look++) {
            pace.queued(1_000);
            assertThat(pace.isTooSlow(5_000)).isFalse();
        }
    }

    @Test
    void each_check_requires_the_same_progress() {
        pace.queued(10_000);
        pace.begin(10_000);
        assertThat(pace.isTooSlow(5_000)).isFalse();
        assertThat(pace.isTooSlow(4_001)).isTrue();
        assertThat(pace.isTooSlow(3_001)).isFalse();
    }

    @Test
    void earlier_progress_does_not_count() {
        pace.queued(50_000);
        pace.begin(2_000);
        assertThat(pace.isTooSlow(1_500)).isTrue();
    }
}
