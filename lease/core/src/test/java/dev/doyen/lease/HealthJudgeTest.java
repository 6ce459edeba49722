package dev.doyen.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.health.HealthJudge;
import org.junit.jupiter.api.Test;

/** Tests rule M6: how many consecutive passed or failed checks change the health. */
class HealthJudgeTest {

    private HealthJudge judge = HealthJudge.begin(3, 2);

    private boolean isWellAfter(boolean... answers) {
        for (boolean yes : answers) {
            judge = judge.after(yes);
        }
        return judge.well();
    }

    @Test
    void it_is_unhealthy_until_the_first_passed_check() {
        assertThat(judge.well()).isFalse();
        assertThat(isWellAfter(true)).isTrue();
    }

    @Test
    void after_a_first_failure_the_usual_number_of_passed_checks_is_needed() {
        assertThat(isWellAfter(false, true)).isFalse();
        assertThat(isWellAfter(true)).isTrue();
    }

    @Test
    void only_consecutive_failures_count() {
        assertThat(isWellAfter(true, false, false, true, false, false)).isTrue();
        assertThat(isWellAfter(false)).isFalse();
    }

    @Test
    void only_consecutive_passed_checks_count() {
        assertThat(isWellAfter(true, false, false, false, true, false, true)).isFalse();
        assertThat(isWellAfter(true)).isTrue();
    }
}
