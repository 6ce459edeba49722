package dev.doyen.injector.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.injector.chart.Chart;
import dev.doyen.kubernetesserver.KubernetesServer;
import dev.doyen.testkit.ServerProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests two injectors that start at the same time, before a certificate exists.
 *
 * <p>The replicas of the chart start in the same way.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplicasOnKubernetesTest {

    private static final String OURS = "/api/v1/namespaces/" + Chart.NAMESPACE;
    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/" + Chart.NAMESPACE + "/leases";

    private static final String LEASE = "&fieldSelector=metadata.name%3Delector-injector";

    private Cluster cluster;
    private ServerProcess one;
    private ServerProcess other;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        KubernetesServer.assumeInstalled();
        cluster = Cluster.start(directory);
        // The API server cannot call these injectors, because no program listens on port 1, which the webhook
        // configuration contains. Other tests check the injection.
        cluster.configureWebhook("elector-injector", 1);
        cluster.change("elector-injector", webhook -> webhook.put("failurePolicy", "Ignore"));
        var first = CompletableFuture.supplyAsync(() -> started("one"));
        var second = CompletableFuture.supplyAsync(() -> started("other"));
        one = first.get();
        other = second.get();
    }

    @BeforeEach
    void both_live() throws Exception {
        for (var each : List.of(one, other)) {
            if (!each.isAlive()) {
                each.restart();
            }
        }
    }

    @AfterAll
    void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void both_replicas_serve_the_stored_certificate_that_the_api_server_trusts() throws Exception {
        var stored = cluster.admin()
                .get(OURS + "/secrets/elector-injector-certificate")
                .body();
        var announced =
                cluster.admin().get(Cluster.WEBHOOKS + "/elector-injector").body();
        var authorities = announced.at("/webhooks/0/clientConfig/caBundle").binaryValue();
        assertThat(stored.at("/data").path("ca.crt").binaryValue()).isEqualTo(authorities);
        assertThat(new String(authorities, StandardCharsets.US_ASCII).split("BEGIN CERTIFICATE", -1))
                .as("only one replica created an authority")
                .hasSize(2);

        var shown = Handshake.with(one.port(), authorities);

        assertThat(Handshake.with(other.port(), authorities)).isEqualTo(shown);
    }

    @Test
    void the_controller_releases_its_lease_when_it_gets_sigterm_and_the_other_replica_takes_over() throws Exception {
        // While the other replica is frozen, it cannot take over an expired lease. So only a release empties the lease.
        replica("other").freeze();
        var before = cluster.await(LEASES, LEASE, each -> holderOf(each).equals("one"));

        replica("one").terminate();

        var since = "&resourceVersion=" + before.at("/metadata/resourceVersion").asText();
        cluster.await(LEASES, LEASE + since, each -> holderOf(each).isEmpty());
        replica("other").thaw();
        assertThat(holder("one")).isEqualTo("other");
    }

    @Test
    void the_other_replica_takes_over_when_the_controller_is_killed() throws Exception {
        var leader = holder("");
        var follower = leader.equals("one") ? "other" : "one";
        cluster.awaitLog(leader, "this replica is the controller");
        cluster.makeElectingPod("clerk");
        cluster.awaitLog(leader, "service account default/clerk may elect");

        replica(leader).kill();

        cluster.makeElectingPod("auditor");
        cluster.awaitLog(follower, "service account default/auditor may elect");
        assertThat(holder(leader)).isEqualTo(follower);
    }

    @Test
    void role_bindings_are_restored_after_an_outage_of_the_api_server() throws Exception {
        cluster.server().stopApi();
        cluster.server().startApi();

        cluster.makeElectingPod("returned");
    }

    /** Waits until the controller's Lease has a holder other than {@code before}, and returns this holder. */
    private String holder(String before) throws Exception {
        return holderOf(
                cluster.await(LEASES, LEASE, each -> !List.of("", before).contains(holderOf(each))));
    }

    private static String holderOf(JsonNode lease) {
        return lease.at("/spec/holderIdentity").asText();
    }

    private ServerProcess replica(String name) {
        return name.equals("one") ? one : other;
    }

    private ServerProcess started(String name) {
        try {
            return cluster.startReplica(name, "--check-interval=500ms");
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
