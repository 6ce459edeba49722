package dev.doyen.group.driver;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests the limits for the number and the total size of waiting messages. */
class ArrivalLimitTest {

    private final ArrivalLimit limit = new ArrivalLimit();

    @Test
    void the_number_of_waiting_messages_is_limited() {
        for (int i = 0; i < ArrivalLimit.MAX_MESSAGES; i++) {
            assertThat(limit.admits(1)).isTrue();
        }
        assertThat(limit.admits(1)).isFalse();
        limit.taken(1);
        assertThat(limit.admits(1)).isTrue();
    }

    @Test
    void the_size_of_waiting_messages_is_limited() {
        int half = (int) (ArrivalLimit.MAX_BYTES / 2);
        assertThat(limit.admits(half)).isTrue();
        assertThat(limit.admits(half)).isTrue();
        assertThat(limit.admits(1)).isFalse();
        limit.taken(half);
        assertThat(limit.admits(half + 1)).isFalse();
        assertThat(limit.admits(half)).isTrue();
    }
}
