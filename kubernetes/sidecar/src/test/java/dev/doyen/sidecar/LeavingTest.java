package dev.doyen.sidecar;

import static dev.doyen.sidecar.Leaving.Effect.END;
import static dev.doyen.sidecar.Leaving.Effect.RELEASE;
import static dev.doyen.sidecar.Leaving.Effect.STOP_REPORTING;
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
        var step = begin(release).signalReceived(NOW, false, AppSign.RUNNING);

        assertThat(step.effects()).containsExactly(STOP_REPORTING, RELEASE);
        assertThat(step.next().released().effects()).containsExactly(END);
    }

    @ParameterizedTest
    @EnumSource(Release.class)
    void an_app_that_has_ended_is_not_waited_for(Release release) {
        assertThat(begin(release).signalReceived(NOW, true, AppSign.ENDED).effects())
                .containsExactly(STOP_REPORTING, RELEASE);
    }

    @Test
    void without_a_sign_of_the_app_the_flag_decides() {
        assertThat(begin(Release.AT_ONCE)
                        .signalReceived(NOW, true, AppSign.UNKNOWN)
                        .effects())
                .containsExactly(STOP_REPORTING, RELEASE);
        assertThat(begin(Release.WAIT)
                        .signalReceived(NOW, true, AppSign.UNKNOWN)
                        .effects())
                .containsExactly(STOP_REPORTING);
    }

    @ParameterizedTest
    @EnumSource(Release.class)
    void a_running_app_is_waited_for(Release release) {
        var holding = begin(release).signalReceived(NOW, true, AppSign.RUNNING);

        assertThat(holding.effects()).containsExactly(STOP_REPORTING);
        assertThat(holding.next().appStopped().effects()).containsExactly(RELEASE);
    }

    @Test
    void an_app_without_a_signal_is_waited_for_until_the_grace_is_nearly_over() {
        var holding =
                begin(Release.WAIT).signalReceived(NOW, true, AppSign.UNKNOWN).next();

        assertThat(holding.passed(NOW + GRACE_LESS_2S - 1).effects()).isEmpty();
        assertThat(holding.passed(NOW + GRACE_LESS_2S).effects()).containsExactly(RELEASE);
    }

    @Test
    void the_lease_is_kept_if_the_app_still_runs_then() {
        var holding =
                begin(Release.WAIT).signalReceived(NOW, true, AppSign.RUNNING).next();

        assertThat(holding.passed(NOW + GRACE_LESS_2S - 1).effects()).isEmpty();
        assertThat(holding.passed(NOW + GRACE_LESS_2S).effects()).containsExactly(END);
    }

    /** The lease must not expire before Kubernetes kills the app at the end of the grace period. */
    @Test
    void with_a_short_ttl_the_lease_is_renewed_until_a_quarter_of_the_ttl_before_the_end() {
        var holding = Leaving.begin(Release.WAIT, Duration.ofSeconds(30), Duration.ofSeconds(1))
                .signalReceived(NOW, true, AppSign.RUNNING)
                .next();

        long end = Duration.ofSeconds(30).minusMillis(250).toNanos();
        assertThat(holding.passed(NOW + end - 1).effects()).isEmpty();
        assertThat(holding.passed(NOW + end).effects()).containsExactly(END);
    }

    @Test
    void a_second_signal_ends_the_wait() {
        var holding =
                begin(Release.WAIT).signalReceived(NOW, true, AppSign.UNKNOWN).next();

        assertThat(holding.signalReceived(NOW + 1, true, AppSign.RUNNING).effects())
                .containsExactly(RELEASE);
    }

    @Test
    void the_lease_is_released_once_and_only_after_the_signal() {
        var serving = begin(Release.WAIT);
        assertThat(serving.appStopped().effects()).isEmpty();
        assertThat(serving.passed(NOW).effects()).isEmpty();
        assertThat(serving.released().effects()).isEmpty();

        var releasing = serving.signalReceived(NOW, true, AppSign.ENDED).next();
        assertThat(releasing.appStopped().effects()).isEmpty();
        assertThat(releasing.signalReceived(NOW, true, AppSign.ENDED).effects()).isEmpty();
        assertThat(releasing.released().next().released().effects()).isEmpty();
    }

    private static Leaving begin(Release release) {
        return Leaving.begin(release, Duration.ofSeconds(30), Duration.ofSeconds(10));
    }
}
