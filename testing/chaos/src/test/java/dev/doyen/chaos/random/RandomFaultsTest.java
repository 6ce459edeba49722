package dev.doyen.chaos.random;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.doyen.chaos.Namespace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Short chaos tests on PostgreSQL with shared sessions, and on a quorum. One test causes network partitions.
 *
 * <p>The tests check safety, and that each election has a leader again after each fault. They do not limit the time of
 * a recovery. The ledgers remain in target/.
 */
class RandomFaultsTest {

    @Test
    void random_faults_with_a_server_are_safe_and_followed_by_a_leader() throws Exception {
        survives(
                ChaosStore.POSTGRES_SESSION,
                List.of(FaultKind.KILL, FaultKind.ERRORS, FaultKind.HANG, FaultKind.SERVER_FREEZE));
    }

    @Test
    void random_faults_without_a_server_are_safe_and_followed_by_a_leader() throws Exception {
        survives(
                ChaosStore.QUORUM,
                List.of(FaultKind.LOG_LEADER_KILL, FaultKind.LOG_LEADER_STOP, FaultKind.MAJORITY_STOP));
    }

    @Test
    void random_partitions_are_safe_and_followed_by_a_leader() throws Exception {
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
