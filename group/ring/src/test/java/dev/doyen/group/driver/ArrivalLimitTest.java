package dev.doyen.group.driver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests the limits for the number and the bytes of waiting messages. */
class ArrivalLimitTest {

    private final ArrivalLimit limit = new ArrivalLimit();

    @Test
    void only_so_many_messages_wait() {
        for (int i = 0; i < ArrivalLimit.MAX_MESSAGES; i++) {
            assertThat(limit.admits(1)).isTrue();
        }
        assertThat(limit.admits(1)).isFalse();
        limit.taken(1);
        assertThat(limit.admits(1)).isTrue();
    }

    @Test
    void only_so_many_bytes_wait() {
        int half = (int) (ArrivalLimit.MAX_BYTES / 2);
        assertThat(limit.admits(half)).isTrue();
        assertThat(limit.admits(half)).isTrue();
        assertThat(limit.admits(1)).isFalse();
        limit.taken(half);
        assertThat(limit.admits(half + 1)).isFalse();
        assertThat(limit.admits(half)).isTrue();
    }
}
