package dev.doyen.injector.driver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.doyen.injector.Marks;
import dev.doyen.injector.Yamls;
import dev.doyen.injector.chart.Chart;
import dev.doyen.kubernetesserver.KubernetesServer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the injector without leader labels on a real API server, with the rights that the chart then grants. */
class WithoutLeaderLabelsOnKubernetesTest {

    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/default/leases";

    @Test
    void the_injector_binds_accounts_and_can_neither_patch_pods_nor_read_leases(@TempDir Path directory)
            throws Exception {
        KubernetesServer.assumeInstalled();
        try (var cluster = Cluster.start(directory, Chart.render("injector.leaderLabels=false"))) {
            cluster.startInjector("--check-interval=1s", "--no-leader-labels");
            cluster.makeElectingPod("first");
            cluster.make(LEASES, "{metadata: {name: first}, spec: {holderIdentity: first}}");
            cluster.makeElectingPod("second");

            assertThat(cluster.admin()
                            .get(PODS + "/first")
                            .body()
                            .at("/metadata/labels")
                            .has(Marks.LEADER))
                    .isFalse();
            assertThat(Files.readString(cluster.log("elector-injector"))).doesNotContain("forbidden");

            var injector = cluster.asServiceAccount(Chart.NAMESPACE, "elector-injector");
            var label = Yamls.parse("{metadata: {labels: {elector.doyen.dev/leader: 'true'}}}")
                    .get(0);
            assertThat(injector.patch(PODS + "/first", KubernetesApi.MERGE_PATCH, label)
                            .status())
                    .isEqualTo(403);
            assertThat(injector.get(LEASES).status()).isEqualTo(403);
        }
    }
}
