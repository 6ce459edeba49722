package dev.doyen.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.event.Moment;
import dev.doyen.event.SavedState;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests rule L4: a leader lease ends when its length D has passed on the monotonic clock or on the wall clock. */
class LeaderLeaseTest {

    private static final long D = Duration.ofSeconds(8).toNanos();
    private static final long AN_HOUR = 3_600_000;

    private final Moment sentAt = new Moment(1_000, 1_700_000_000_000L);
    private final LeaderLease leaderLease =
            new LeaderLease(Stage.ME, 3, sentAt, Duration.ofNanos(D), SavedState.ofText("left behind"));

    @Test
    void it_ends_at_D_on_the_monotonic_clock_even_if_the_wall_clock_was_set_back() {
        assertThat(leaderLease.holdsAt(after(D - 1, -AN_HOUR))).isTrue();
        assertThat(leaderLease.remainingAt(after(D - 1, -AN_HOUR))).isEqualTo(Duration.ofNanos(1));
        assertThat(leaderLease.holdsAt(after(D, -AN_HOUR))).isFalse();
        assertThat(leaderLease.remainingAt(after(D, -AN_HOUR))).isZero();
    }

    @Test
    void it_ends_at_D_on_the_wall_clock_even_if_the_monotonic_clock_stopped() {
        assertThat(leaderLease.holdsAt(after(0, 7_999))).isTrue();
        assertThat(leaderLease.remainingAt(after(0, 7_999))).isEqualTo(Duration.ofMillis(1));
        assertThat(leaderLease.holdsAt(after(0, 8_000))).isFalse();
        assertThat(leaderLease.remainingAt(after(0, 8_000))).isZero();
    }

    @Test
    void with_a_session_it_ends_when_the_session_ends() { // L12
        var later = new Moment(sentAt.nanos() + 5, sentAt.wallMillis());
        var session = new LeaderLease(Stage.OTHER, 9, later, Duration.ofSeconds(1), SavedState.EMPTY);
        assertThat(leaderLease.within(session))
                .isEqualTo(new LeaderLease(Stage.ME, 3, later, Duration.ofSeconds(1), leaderLease.state()));
    }

    private Moment after(long nanos, long wallMillis) {
        return new Moment(sentAt.nanos() + nanos, sentAt.wallMillis() + wallMillis);
    }
}
