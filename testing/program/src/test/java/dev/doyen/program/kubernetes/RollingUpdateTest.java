package dev.doyen.program.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.store.LeaseRecord;
import dev.doyen.store.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Tests that a rolling update of five pods moves the leadership once (M8), on a real API server.
 *
 * <p>The test replaces the pods as a Deployment does with {@code maxSurge: 1} and {@code maxUnavailable: 0}: it starts a
 * new pod, waits until {@code /readyz} of its sidecar returns 200, and then ends an old pod. In three of four updates the
 * leader ends first, when four old pods and only one new pod remain. Otherwise the order of the old pods is random.
 *
 * <p>{@code -Drollouts=50} sets the number of updates. The default is 3.
 */
class RollingUpdateTest {

    private static final int REPLICAS = 5;
    private static final int ROLLOUTS = Integer.getInteger("rollouts", 2);

    private final Deque<DoyenPod> pods = new ArrayDeque<>();

    @AfterEach
    void end() throws Exception {
        for (var each : pods) {
            each.end();
        }
    }

    @Test
    void a_rolling_update_moves_the_leadership_once() throws Exception { // M8
        var cluster = ElectorCluster.start("orders");
        var kubeconfig = cluster.account("app", ElectorCluster.Role.shipped());
        var gaps = new ArrayList<Long>();
        try (LeaseStore store = LeaseStore.open("kubernetes:" + cluster.namespace() + "?kubeconfig=" + kubeconfig)) {
            for (int at = 0; at < REPLICAS; at++) {
                start(new DoyenPod(cluster, kubeconfig, "r0-" + at, 1));
            }
            for (int rollout = 1; rollout <= ROLLOUTS; rollout++) {
                LeaseRecord before = record(store, cluster.election());
                var old = new ArrayList<>(pods);
                Collections.shuffle(old, new Random(rollout));
                if (rollout % 4 != 0) {
                    old.sort(Comparator.comparing(pod -> !pod.pod().equals(before.holder())));
                }
                for (int at = 0; at < REPLICAS; at++) {
                    start(new DoyenPod(cluster, kubeconfig, "r" + rollout + "-" + at, rollout + 1));
                    var going = old.get(at);
                    pods.remove(going);
                    going.end();
                }
                Waiting.until(
                        () -> "a new pod leads",
                        () -> record(store, cluster.election()).isHeld());
                LeaseRecord after = record(store, cluster.election());
                assertThat(after.notes().past().stream()
                                .filter(past -> past.term() >= before.term())
                                .map(past -> past.term() + " " + past.holder() + " " + past.reason()))
                        .as("rollout %d in the order %s", rollout, names(old))
                        .hasSize(1);
                assertThat(after.term()).isEqualTo(before.term() + 1);
                Instant until = after.notes().past().get(0).until();
                gaps.add(Duration.between(until, after.acquiredAt()).toMillis());
            }
        }
        Collections.sort(gaps);
        System.out.printf("rolling updates: %d, time without a leader in ms, sorted: %s%n", ROLLOUTS, gaps);
    }

    /** Starts a pod, and waits until it is ready. */
    private void start(DoyenPod pod) throws InterruptedException {
        pods.add(pod);
        Waiting.until(() -> pod.pod() + " is ready", pod::isReady);
    }

    private static LeaseRecord record(LeaseStore store, String election) {
        return store.read(election).record().orElseThrow();
    }

    private static List<String> names(List<DoyenPod> pods) {
        return pods.stream().map(DoyenPod::pod).toList();
    }
}
