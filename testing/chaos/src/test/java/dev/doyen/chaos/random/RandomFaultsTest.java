package dev.doyen.chaos.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.doyen.chaos.Namespace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Short chaos tests on PostgreSQL with shared sessions, and on a quorum.
 *
 * <p>They require safety, and a leader after each fault without a time limit. Their ledgers stay in target/.
 */
class RandomFaultsTest {

    @Test
    void on_a_server_nothing_is_unsafe_and_every_election_is_led_after_each_fault() throws Exception {
        survives(
                ChaosStore.POSTGRES_SESSION,
                List.of(FaultKind.KILL, FaultKind.ERRORS, FaultKind.HANG, FaultKind.SERVER_FREEZE));
    }

    @Test
    void without_a_server_nothing_is_unsafe_and_every_election_is_led_after_each_fault() throws Exception {
        survives(
                ChaosStore.QUORUM,
                List.of(FaultKind.LOG_LEADER_KILL, FaultKind.LOG_LEADER_STOP, FaultKind.MAJORITY_STOP));
    }

    @Test
    void in_a_network_that_is_cut_nothing_is_unsafe_and_every_election_is_led_after_each_fault() throws Exception {
        assumeTrue(Namespace.isPossible(), "SKIPPED: network namespaces need root and the program ip (iproute2)");
        survives(
                ChaosStore.QUORUM_NETWORK,
                List.of(FaultKind.CUT, FaultKind.LOG_LEADER_CUT_INCOMING, FaultKind.PARTITION));
    }

    private static void survives(ChaosStore store, List<FaultKind> faults) throws Exception {
        try (var run = new ChaosRun(store, 17, faults, Path.of("target", "chaos", "verify-" + store.argument()))) {
            ChaosReport report = run.run(Duration.ofMinutes(5), faults.size());
            System.out.print(report.table());
            assertThat(report.unsafe()).isEmpty();
            assertThat(report.troubles()).isEmpty();
            assertThat(report.faults()).isEqualTo(faults.size());
        }
    }
}
