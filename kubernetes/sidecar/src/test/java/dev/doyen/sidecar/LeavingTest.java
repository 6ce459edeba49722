package dev.doyen.sidecar;

import static dev.doyen.sidecar.Leaving.Effect.END;
import static dev.doyen.sidecar.Leaving.Effect.FALL_SILENT;
import static dev.doyen.sidecar.Leaving.Effect.GIVE_BACK;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class LeavingTest {

    private static final long NOW = Math.addExact(Long.MAX_VALUE, -5);
    private static final long GRACE_LESS_2S = Duration.ofSeconds(28).toNanos();

    @ParameterizedTest
    @EnumSource(Release.class)
    void a_follower_leaves_at_once(Release release) {
        var step = begin(release).told(NOW, false, AppSign.LIVES);

        assertThat(step.effects()).containsExactly(FALL_SILENT, GIVE_BACK);
        assertThat(step.next().released().effects()).containsExactly(END);
    }

    @ParameterizedTest
    @EnumSource(Release.class)
    void an_app_that_has_ended_is_not_waited_for(Release release) {
        assertThat(begin(release).told(NOW, true, AppSign.GONE).effects()).containsExactly(FALL_SILENT, GIVE_BACK);
    }

    @Test
    void without_a_sign_of_the_app_the_flag_decides() {
        assertThat(begin(Release.AT_ONCE).told(NOW, true, AppSign.UNKNOWN).effects())
                .containsExactly(FALL_SILENT, GIVE_BACK);
        assertThat(begin(Release.WAIT).told(NOW, true, AppSign.UNKNOWN).effects())
                .containsExactly(FALL_SILENT);
    }

    @ParameterizedTest
    @EnumSource(Release.class)
    void an_app_that_lives_is_waited_for(Release release) {
        var holding = begin(release).told(NOW, true, AppSign.LIVES);

        assertThat(holding.effects()).containsExactly(FALL_SILENT);
        assertThat(holding.next().appStopped().effects()).containsExactly(GIVE_BACK);
    }

    @Test
    void one_without_a_sign_is_waited_for_until_the_grace_is_nearly_over() {
        var holding = begin(Release.WAIT).told(NOW, true, AppSign.UNKNOWN).next();

        assertThat(holding.passed(NOW + GRACE_LESS_2S - 1).effects()).isEmpty();
        assertThat(holding.passed(NOW + GRACE_LESS_2S).effects()).containsExactly(GIVE_BACK);
    }

    @Test
    void one_that_still_lives_then_is_not_overtaken() {
        var holding = begin(Release.WAIT).told(NOW, true, AppSign.LIVES).next();

        assertThat(holding.passed(NOW + GRACE_LESS_2S - 1).effects()).isEmpty();
        assertThat(holding.passed(NOW + GRACE_LESS_2S).effects()).containsExactly(END);
    }

    @Test
    void told_a_second_time_it_does_not_wait() {
        var holding = begin(Release.WAIT).told(NOW, true, AppSign.UNKNOWN).next();

        assertThat(holding.told(NOW + 1, true, AppSign.LIVES).effects()).containsExactly(GIVE_BACK);
    }

    @Test
    void nothing_is_given_back_twice_and_nothing_before_it_is_told_to_end() {
        var serving = begin(Release.WAIT);
        assertThat(serving.appStopped().effects()).isEmpty();
        assertThat(serving.passed(NOW).effects()).isEmpty();
        assertThat(serving.released().effects()).isEmpty();

        var releasing = serving.told(NOW, true, AppSign.GONE).next();
        assertThat(releasing.appStopped().effects()).isEmpty();
        assertThat(releasing.told(NOW, true, AppSign.GONE).effects()).isEmpty();
        assertThat(releasing.released().next().released().effects()).isEmpty();
    }

    private static Leaving begin(Release release) {
        return Leaving.begin(release, Duration.ofSeconds(30));
    }
}
