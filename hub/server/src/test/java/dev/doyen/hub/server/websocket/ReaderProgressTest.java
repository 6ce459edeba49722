package dev.doyen.hub.server.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ReaderProgressTest {

    private final ReaderProgress progress = new ReaderProgress(1_000);

    @Test
    void a_reader_without_progress_is_too_slow() {
        progress.queued(5_000);
        progress.begin(5_000);
        progress.queued(20_000);
        assertThat(progress.isTooSlow(25_000)).isTrue();
    }

    @Test
    void a_reader_with_progress_is_not_too_slow() {
        progress.queued(5_000);
        progress.begin(5_000);
        for (int check = 1; check <= 10; check++) {
            progress.queued(1_000);
            assertThat(progress.isTooSlow(5_000)).isFalse();
        }
    }

    @Test
    void each_check_requires_the_same_progress() {
        progress.queued(10_000);
        progress.begin(10_000);
        assertThat(progress.isTooSlow(5_000)).isFalse();
        assertThat(progress.isTooSlow(4_001)).isTrue();
        assertThat(progress.isTooSlow(3_001)).isFalse();
    }

    @Test
    void earlier_progress_does_not_count() {
        progress.queued(50_000);
        progress.begin(2_000);
        assertThat(progress.isTooSlow(1_500)).isTrue();
    }
}
