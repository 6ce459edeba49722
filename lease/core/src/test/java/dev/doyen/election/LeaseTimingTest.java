package dev.doyen.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that the settings accept values at their bounds, and reject values outside their bounds. */
class LeaseTimingTest {

    private static final Duration TTL = Duration.ofSeconds(15);
    private static final Duration D = Duration.ofSeconds(12);
    private static final Duration NANO = Duration.ofNanos(1);

    @ParameterizedTest
    @ValueSource(longs = {200, 3_600_000})
    void the_shortest_and_the_longest_ttl_are_accepted(long millis) {
        assertThat(LeaseTiming.ofTtl(Duration.ofMillis(millis)).ttl()).hasMillis(millis);
    }

    @Test
    void the_longest_durations_that_fit_each_other_are_accepted() {
        var longest = new LeaseTiming(TTL, D, D.dividedBy(3), D.dividedBy(2), TTL, TTL, Duration.ofHours(1));
        assertThat(longest.watchedPollEvery()).isEqualTo(longest.pollEvery());
        assertThat(longest.withResignCooldown(Duration.ZERO).resignCooldown()).isZero();
    }

    @Test
    void a_nanosecond_more_or_less_is_rejected() {
        rejects("ttl is 199", () -> LeaseTiming.ofTtl(Duration.ofMillis(200).minus(NANO)));
        rejects("ttl is ", () -> LeaseTiming.ofTtl(Duration.ofHours(1).plus(NANO)));
        rejects(
                "ttl is ",
                () -> new LeaseTiming(Duration.ofHours(2), D, D.dividedBy(3), D.dividedBy(2), TTL, TTL, TTL));
        rejects("deadline is ", () -> timing(D.plus(NANO), D.dividedBy(3), D.dividedBy(2), TTL, TTL));
        rejects("renewEvery is ", () -> timing(D, D.dividedBy(3).plus(NANO), D.dividedBy(2), TTL, TTL));
        rejects(
                "requestTimeout is ",
                () -> timing(D, D.dividedBy(3), D.dividedBy(2).plus(NANO), TTL, TTL));
        rejects("pollEvery is ", () -> timing(D, D.dividedBy(3), D.dividedBy(2), TTL.plus(NANO), TTL));
        rejects("watchedPollEvery is ", () -> timing(D, D.dividedBy(3), D.dividedBy(2), TTL, TTL.minus(NANO)));
        rejects("resignCooldown is ", () -> LeaseTiming.checkCooldown(NANO.negated()));
    }

    @Test
    void priorities_are_between_0_and_100() {
        assertThat(Priority.returning(0).level()).isZero();
        assertThat(Priority.sticky(100).level()).isEqualTo(100);
        rejects("priority is -1", () -> Priority.sticky(-1));
        rejects("priority is 101", () -> Priority.sticky(101));
    }

    private static LeaseTiming timing(
            Duration deadline, Duration renewEvery, Duration timeout, Duration poll, Duration watchedPoll) {
        return new LeaseTiming(TTL, deadline, renewEvery, timeout, poll, watchedPoll, TTL);
    }

    private static void rejects(String sentence, Runnable setting) {
        assertThatIllegalArgumentException().isThrownBy(setting::run).withMessageStartingWith(sentence);
    }
}
