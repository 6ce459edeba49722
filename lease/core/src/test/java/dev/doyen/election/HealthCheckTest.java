package dev.doyen.election;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.doyen.election.HealthCheck.NoneHealthy;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class HealthCheckTest {

    private final BooleanSupplier yes = new AtomicBoolean(true)::get;

    @Test
    void each_setter_changes_only_its_setting() {
        HealthCheck check = HealthCheck.of(yes)
                .every(Duration.ofSeconds(5))
                .hysteresis(7, 4)
                .whenNoneHealthy(NoneHealthy.LEAD_ANYWAY);
        assertThat(check).isEqualTo(new HealthCheck(yes, Duration.ofSeconds(5), 7, 4, NoneHealthy.LEAD_ANYWAY));
        assertThat(check.every(Duration.ofSeconds(1)).hysteresis(3, 2).whenNoneHealthy(NoneHealthy.NO_LEADER))
                .isEqualTo(HealthCheck.of(yes));
    }

    @Test
    void values_at_the_bounds_are_accepted_and_the_next_are_rejected() {
        HealthCheck check = HealthCheck.of(yes);
        assertThat(check.every(Duration.ofMillis(10)).every()).hasMillis(10);
        assertThat(check.every(Duration.ofHours(1)).every()).hasHours(1);
        rejects("a health check every 9", () -> check.every(Duration.ofNanos(9_999_999)));
        rejects("a health check every ", () -> check.every(Duration.ofHours(1).plusNanos(1)));
        assertThat(check.hysteresis(1, 100))
                .extracting(HealthCheck::fallAfter, HealthCheck::riseAfter)
                .containsExactly(1, 100);
        assertThat(check.hysteresis(100, 1))
                .extracting(HealthCheck::fallAfter, HealthCheck::riseAfter)
                .containsExactly(100, 1);
        rejects("fallAfter is 0; it lies between 1 and 100", () -> check.hysteresis(0, 1));
        rejects("riseAfter is 101; it lies between 1 and 100", () -> check.hysteresis(1, 101));
    }

    private static void rejects(String sentence, Runnable setting) {
        assertThatIllegalArgumentException().isThrownBy(setting::run).withMessageStartingWith(sentence);
    }
}
