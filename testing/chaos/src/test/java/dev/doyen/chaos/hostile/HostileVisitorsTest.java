package dev.doyen.chaos.hostile;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests for 20 s that hostile visitors harm no other client. {@code ./dev chaos hostile} runs longer. */
@Timeout(600)
class HostileVisitorsTest {

    @Test
    void innocent_clients_lose_no_term_and_get_no_rejection(@TempDir Path dir) throws Exception {
        HostileReport report = HostileRun.run(dir, Duration.ofSeconds(20), 20);
        System.out.print("hostile visitors: " + report.text());
        assertThat(report.faults()).isEmpty();
        assertThat(report.attacks().keySet()).hasSizeGreaterThan(5);
    }
}
