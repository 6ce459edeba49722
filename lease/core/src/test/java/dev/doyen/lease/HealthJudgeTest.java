package dev.doyen.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.health.HealthJudge;
import org.junit.jupiter.api.Test;

/** Rule M6: how many answers in a row change the health. */
class HealthJudgeTest {

    private HealthJudge judge = HealthJudge.begin(3, 2);

    private boolean hear(boolean... answers) {
        for (boolean yes : answers) {
            judge = judge.after(yes);
        }
        return judge.well();
    }

    @Test
    void it_is_ill_until_the_first_yes_and_well_at_once_by_it() {
        assertThat(judge.well()).isFalse();
        assertThat(hear(true)).isTrue();
    }

    @Test
    void after_a_first_no_it_takes_as_many_yes_as_ever() {
        assertThat(hear(false, true)).isFalse();
        assertThat(hear(true)).isTrue();
    }

    @Test
    void no_must_come_in_a_row_to_count() {
        assertThat(hear(true, false, false, true, false, false)).isTrue();
        assertThat(hear(false)).isFalse();
    }

    @Test
    void yes_must_come_in_a_row_to_count() {
        assertThat(hear(true, false, false, false, true, false, true)).isFalse();
        assertThat(hear(true)).isTrue();
    }
}
