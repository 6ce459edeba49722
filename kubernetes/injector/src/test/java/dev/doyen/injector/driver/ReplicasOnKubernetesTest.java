package dev.doyen.injector.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.injector.chart.Chart;
import dev.doyen.kubernetesserver.KubernetesServer;
import dev.doyen.testkit.ServerProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Starts two injectors at the same moment, when no certificate exists yet.
 *
 * <p>The chart starts its replicas this way.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplicasOnKubernetesTest {

    private static final String OURS = "/api/v1/namespaces/" + Chart.NAMESPACE;
    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/" + Chart.NAMESPACE + "/leases";

    private Cluster cluster;
    private ServerProcess one;
    private ServerProcess other;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        KubernetesServer.assumeInstalled();
        cluster = Cluster.start(directory);
        // No Service leads from the API server to either injector. Other tests check what they do to pods.
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
    void both_show_the_one_certificate_that_is_stored_and_that_the_api_server_trusts() throws Exception {
        var stored = cluster.admin()
                .get(OURS + "/secrets/elector-injector-certificate")
                .body();
        var announced =
                cluster.admin().get(Cluster.WEBHOOKS + "/elector-injector").body();
        var authorities = announced.at("/webhooks/0/clientConfig/caBundle").binaryValue();
        assertThat(stored.at("/data").path("ca.crt").binaryValue()).isEqualTo(authorities);
        assertThat(new String(authorities, StandardCharsets.US_ASCII).split("BEGIN CERTIFICATE", -1))
                .as("one authority: nobody made a second")
                .hasSize(2);

        var shown = Handshake.with(one.port(), authorities);

        assertThat(Handshake.with(other.port(), authorities)).isEqualTo(shown);
    }

    @Test
    void the_other_takes_over_at_once_when_the_controller_is_told_to_end() throws Exception {
        var leader = holder("");
        long start = System.nanoTime();

        replica(leader).tellToEnd();

        assertThat(holder(leader)).isNotEqualTo(leader);
        assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(8));
    }

    @Test
    void one_of_them_is_the_controller_and_the_other_takes_over_when_that_is_killed() throws Exception {
        var leader = holder("");
        var follower = leader.equals("one") ? "other" : "one";
        cluster.awaitWord(leader, "this replica is the controller");
        ask("clerk");
        cluster.awaitWord(leader, "service account default/clerk may elect");

        replica(leader).kill();

        ask("auditor");
        cluster.awaitWord(follower, "service account default/auditor may elect");
        assertThat(holder(leader)).isEqualTo(follower);
    }

    @Test
    void after_the_api_server_was_away_accounts_are_given_their_rights_again() throws Exception {
        cluster.server().stopApi();
        cluster.server().startApi();

        ask("returned");
    }

    /**
     * Creates a pod that elects under this service account.
     *
     * <p>Returns when the account has the right to do so.
     */
    private void ask(String account) throws Exception {
        cluster.make("/api/v1/namespaces/default/serviceaccounts", "{metadata: {name: " + account + "}}");
        cluster.make("/api/v1/namespaces/default/pods", """
                metadata:
                  name: %1$s
                  labels: {elector.doyen.dev/inject: "true"}
                  annotations: {elector.doyen.dev/election: %1$s}
                spec:
                  serviceAccountName: %1$s
                  containers: [{name: app, image: shop}]
                """.formatted(account));
        cluster.await(
                "/apis/rbac.authorization.k8s.io/v1/namespaces/default/rolebindings",
                "",
                binding -> binding.at("/subjects/0/name").asText().equals(account));
    }

    /** Waits until the holder of the controller's Lease is not {@code before}, and returns the holder. */
    private String holder(String before) throws Exception {
        JsonNode lease = cluster.await(
                LEASES,
                "&fieldSelector=metadata.name%3Delector-injector",
                each -> !List.of("", before)
                        .contains(each.at("/spec/holderIdentity").asText()));
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
