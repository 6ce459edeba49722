package dev.doyen.drills.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A short chaos test on PostgreSQL with shared sessions. It demands safety, and a leader after each fault at some
 * time. Its ledgers stay in target/.
 */
class ChaosTest {

    private static final List<FaultKind> FAULTS =
            List.of(FaultKind.KILL, FaultKind.ERRORS, FaultKind.HANG, FaultKind.SERVER_FREEZE);

    @Test
    void nothing_is_unsafe_and_every_election_is_led_after_each_fault() throws Exception {
        try (var run = new ChaosRun(ChaosStore.POSTGRES_SESSION, 17, FAULTS, Path.of("target", "chaos", "verify"))) {
            ChaosReport report = run.run(Duration.ofMinutes(5), FAULTS.size());
            System.out.print(report.table());
            assertThat(report.unsafe()).isEmpty();
            assertThat(report.troubles()).isEmpty();
            assertThat(report.faults()).isEqualTo(FAULTS.size());
        }
    }
}
