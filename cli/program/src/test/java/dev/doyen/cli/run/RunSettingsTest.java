package dev.doyen.cli.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RunSettingsTest {

    private static final Duration TTL = Duration.ofSeconds(10);

    @Test
    void the_command_is_stopped_a_grace_or_a_fifth_of_the_ttl_before_expiry() {
        assertThat(RunSettings.stopBeforeFor(TTL, Duration.ofSeconds(5))).isEqualTo(Duration.ofSeconds(2));
        assertThat(RunSettings.stopBeforeFor(TTL, Duration.ofSeconds(1))).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void one_missed_renewal_must_not_end_the_work() {
        assertThat(with(Duration.ofSeconds(5), Duration.ofSeconds(4), 1).stopBefore())
                .isEqualTo(Duration.ofSeconds(4));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> with(Duration.ofSeconds(5), Duration.ofMillis(4001), 1))
                .withMessageContainingAll("stop-before", "4001 ms", "4000 ms", "raise the ttl");
    }

    @Test
    void a_grace_is_limited_to_an_hour() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> with(Duration.ofMinutes(61), Duration.ofSeconds(1), 1))
                .withMessageContainingAll("grace", "1 h");
    }

    @Test
    void an_exit_code_is_a_byte() {
        assertThat(with(Duration.ZERO, Duration.ZERO, 255).conflictExitCode()).isEqualTo(255);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> with(Duration.ZERO, Duration.ZERO, 256))
                .withMessageContainingAll("256", "0 to 255");
        assertThatIllegalArgumentException().isThrownBy(() -> with(Duration.ZERO, Duration.ZERO, -1));
    }

    private static RunSettings with(Duration grace, Duration stopBefore, int code) {
        return new RunSettings("e", TTL, grace, stopBefore, OnLost.RESTART, Optional.empty(), true, code);
    }
}
