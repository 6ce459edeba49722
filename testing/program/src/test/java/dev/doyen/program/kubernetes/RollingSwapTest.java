package dev.doyen.program.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Replaces NAIS electors by Doyen's electors, pod by pod, and back, on a real API server with its garbage collector.
 *
 * <p>Two electors must never both name their own app as the leader at the same time. After each step all electors name
 * the same leader.
 */
@Timeout(600)
final class RollingSwapTest {

    private static final int REPLICAS = 3;

    /** The maximum time for which two electors name different leaders, even on a busy machine. */
    private static final Duration UPDATE_TIME = Duration.ofSeconds(15);

    private final Agreement agreement = new Agreement();
    private final List<Long> leaderless = new ArrayList<>();

    private interface Maker {
        Competitor make(String pod) throws Exception;
    }

    @AfterEach
    void end() throws Exception {
        agreement.close();
        for (var each : agreement.competitors()) {
            each.end();
        }
    }

    @Test
    void pods_are_replaced_in_both_directions_with_the_role_of_the_chart() throws Exception {
        var cluster = ElectorCluster.start("orders");
        swapThereAndBack(cluster, ElectorCluster.Role.shippedForNais());
        assertThat(cluster.lease().at("/spec/leaseDurationSeconds").isMissingNode())
                .as("the last Lease has the form of the NAIS elector")
                .isTrue();
    }

    @Test
    void pods_are_replaced_in_both_directions_without_the_right_to_update() throws Exception {
        swapThereAndBack(ElectorCluster.start("orders"), ElectorCluster.OF_NAIS);
    }

    private void swapThereAndBack(ElectorCluster cluster, ElectorCluster.Role role) throws Exception {
        Path kubeconfig = cluster.account("app", role);
        for (int at = 0; at < REPLICAS; at++) {
            agreement.add(new NaisElector(cluster, "app", "nais-" + at));
        }
        await("NAIS' electors agree", () -> agreement.leader().isPresent());

        replaceAll("doyen", pod -> new DoyenPod(cluster, kubeconfig, pod));
        replaceAll("back", pod -> new NaisElector(cluster, "app", pod));

        System.out.printf(
                "rolling swap, Leases: %s: %d queries, longest disagreement %d ms, from the end of a pod until all name"
                        + " one leader %s ms%n",
                role.leases(),
                agreement.comparisons(),
                agreement.longestDisagreement().toMillis(),
                leaderless);
        assertThat(agreement.overlaps()).isEmpty();
        assertThat(agreement.longestDisagreement()).isLessThan(UPDATE_TIME);
        assertThat(agreement.comparisons()).isGreaterThan(100);
    }

    /**
     * Replaces the pods, the leader first. Like a Deployment with maxSurge 1, each new pod starts before an old pod
     * ends.
     */
    private void replaceAll(String prefix, Maker maker) throws Exception {
        var old = new ArrayList<>(agreement.competitors());
        for (int at = 0; at < REPLICAS; at++) {
            var before = agreement.leader();
            var fresh = agreement.add(maker.make(prefix + "-" + at));
            await(
                    fresh.pod() + " and all other pods agree",
                    () -> agreement.leader().isPresent());
            assertThat(agreement.leader())
                    .as("the leader is the one before the start of " + fresh.pod())
                    .isEqualTo(before);
            var going = old.stream().filter(Competitor::leads).findFirst().orElse(old.get(0));
            old.remove(going);
            long endedAt = System.nanoTime();
            going.end();
            agreement.remove(going);
            await(
                    "a pod leads after the end of " + going.pod(),
                    () -> agreement.leader().isPresent());
            leaderless.add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - endedAt));
        }
    }

    private void await(String what, BooleanSupplier happened) throws InterruptedException {
        Waiting.until(
                () -> what + "; named: "
                        + agreement.competitors().stream()
                                .map(each -> each.pod() + " names " + each.named())
                                .toList(),
                happened);
    }
}
