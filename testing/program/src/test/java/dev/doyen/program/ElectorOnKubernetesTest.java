package dev.doyen.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.doyen.program.kubernetes.ElectorCluster;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests {@code doyen elector} on a real API server, as it runs in a pod.
 *
 * <p>By default, the process has only the flags for the election's name and for free ports. It has the environment
 * variables that the sidecar injector sets, and an account with the rights that the Helm chart grants.
 */
@Timeout(300)
final class ElectorOnKubernetesTest {

    private static final Pattern PORTS =
            Pattern.compile("API is on port ([0-9]+), probes are answered on port ([0-9]+)");
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<RunningDoyen> started = new ArrayList<>();

    @AfterEach
    void end() {
        started.forEach(RunningDoyen::killHard);
    }

    @Test
    void two_replicas_with_the_charts_role_elect_one_and_sigterm_hands_over() throws Exception {
        var began = Instant.now();
        var cluster = ElectorCluster.start("orders");
        Path account = cluster.account("app", ElectorCluster.Role.shipped());
        var first = start(cluster, account, "orders-1");
        first.awaitName("orders-1");
        var second = start(cluster, account, "orders-2");
        second.awaitName("orders-1");
        // The sidecar names the leader before its startup probe succeeds. So an app that starts after the probe finds a
        // leader.
        awaitTrue("started", () -> second.get(second.probePort, "/healthz").equals("ok"));

        var spec = cluster.lease().path("spec");
        assertThat(spec.path("holderIdentity").asText()).isEqualTo("orders-1");
        assertThat(spec.path("leaseDurationSeconds").asInt()).isEqualTo(10);
        assertThat(spec.path("leaseTransitions").asInt(-1)).isZero();
        assertThat(spec.path("acquireTime").asText()).matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{6}Z");
        assertThat(Instant.parse(spec.path("renewTime").asText())).isAfter(began);
        assertThat(cluster.lease().at("/metadata/ownerReferences").isMissingNode())
                .as("a held Lease is not deleted with the Pod of its holder")
                .isTrue();
        var table = cluster.leaseTable();
        assertThat(table.path("columnDefinitions").findValuesAsText("name")).containsExactly("Name", "Holder", "Age");
        assertThat(table.at("/rows/0/cells/0").asText()).isEqualTo("orders");
        assertThat(table.at("/rows/0/cells/1").asText()).isEqualTo("orders-1");

        first.doyen.signal("TERM");

        assertThat(first.doyen.awaitExit()).isZero();
        second.awaitName("orders-2");
        var after = cluster.lease();
        assertThat(after.at("/spec/holderIdentity").asText()).isEqualTo("orders-2");
        assertThat(after.at("/spec/leaseTransitions").asInt()).isEqualTo(1);
        assertThat(after.at("/metadata/ownerReferences").isMissingNode())
                .as("an acquired Lease no longer belongs to a Pod")
                .isTrue();
        assertThat(second.metrics())
                .contains(
                        "doyen_is_leader{election=\"orders\"} 1\n",
                        "doyen_non_expiring_lease{election=\"orders\"} 0\n");
    }

    @Test
    void the_last_leader_leaves_a_lease_that_is_deleted_with_its_pod() throws Exception { // K7
        var cluster = ElectorCluster.start("orders");
        Path account = cluster.account("app", ElectorCluster.Role.shippedForNais());
        var only = start(cluster, account, "orders-1");
        only.awaitName("orders-1");

        only.doyen.signal("TERM");

        assertThat(only.doyen.awaitExit()).isZero();
        assertThat(cluster.lease().at("/spec/holderIdentity").asText("?")).isEmpty();
        assertThat(cluster.lease().at("/metadata/ownerReferences/0/name").asText())
                .isEqualTo("orders-1");
        cluster.deletePod("orders-1");
        awaitTrue(
                "the garbage collector deletes the Lease", () -> cluster.lease().isMissingNode());
    }

    @Test
    void without_the_right_to_update_the_sidecar_uses_non_expiring_leases_and_reports_it() throws Exception { // K8
        var cluster = ElectorCluster.start("orders");
        Path account = cluster.account("app", ElectorCluster.OF_NAIS);
        var first = start(cluster, account, "orders-1", "--ttl=60s", "--health-file=/proc/self/stat");
        assertThat(first.doyen.awaitOutput("may not \"update\""))
                .contains(
                        "the account may not \"update\" the Lease orders in namespace " + cluster.namespace(),
                        "so whoever leads has a non-expiring lease until its Pod is deleted",
                        "the health check has no effect");
        first.awaitName("orders-1");
        var second = start(cluster, account, "orders-2", "--ttl=60s");
        second.awaitName("orders-1");
        assertThat(first.metrics())
                .contains(
                        "doyen_non_expiring_lease{election=\"orders\"} 1\n",
                        "doyen_is_leader{election=\"orders\"} 1\n");
        assertThat(first.election().path("remark").asText()).contains("leads has a non-expiring lease");
        assertThat(second.election().at("/leader/term").asLong())
                .as("both sidecars report the same term")
                .isEqualTo(first.election().at("/leader/term").asLong());

        var lease = cluster.lease();
        assertThat(lease.at("/metadata/ownerReferences/0/kind").asText()).isEqualTo("Pod");
        assertThat(lease.at("/metadata/ownerReferences/0/name").asText()).isEqualTo("orders-1");
        assertThat(lease.path("spec").fieldNames())
                .toIterable()
                .containsExactlyInAnyOrder("holderIdentity", "acquireTime");

        // The container is killed and restarts. Its Pod owns the Lease, so the same pod leads again at once.
        long term = first.election().at("/leader/term").asLong();
        first.doyen.killHard();
        var again = startAgain(account, cluster, "orders-1", "--ttl=60s");
        again.awaitName("orders-1");
        assertThat(second.name()).isEqualTo("orders-1");
        assertThat(again.election().at("/leader/term").asLong()).isGreaterThan(term);

        again.doyen.signal("TERM");
        assertThat(again.doyen.awaitExit()).isZero();
        assertThat(second.name()).as("the Lease exists as long as its Pod").isEqualTo("orders-1");
        term = second.election().at("/leader/term").asLong();
        cluster.deletePod("orders-1");
        second.awaitName("orders-2");
        assertThat(second.election().at("/leader/term").asLong()).isGreaterThan(term);
    }

    @Test
    void an_elector_without_rights_waits_for_them() throws Exception {
        var cluster = ElectorCluster.start("orders");
        Path account = cluster.server().kubeconfig(cluster.namespace() + "/app");
        var early = start(cluster, account, "orders-1");
        assertThat(early.doyen.awaitOutput("cannot be opened yet"))
                .contains("may do nothing with leases.coordination.k8s.io in namespace " + cluster.namespace()
                        + " yet; give it a Role by a RoleBinding");
        assertThat(early.name()).isEmpty();

        cluster.account("app", ElectorCluster.Role.shipped());

        early.awaitName("orders-1");
        assertThat(early.metrics()).contains("doyen_non_expiring_lease{election=\"orders\"} 0\n");
    }

    private Running start(ElectorCluster cluster, Path account, String pod, String... more) throws Exception {
        cluster.makePod(pod);
        return startAgain(account, cluster, pod, more);
    }

    private Running startAgain(Path account, ElectorCluster cluster, String pod, String... more) throws Exception {
        var arguments = new ArrayList<>(
                List.of("elector", "--election=orders", "--http=localhost:0", "--probe-address=localhost:0"));
        arguments.addAll(List.of(more));
        var builder = new ProcessBuilder(RunningDoyen.commandLine(arguments.toArray(String[]::new)));
        builder.environment().put("KUBECONFIG", account.toString());
        builder.environment().put("POD_NAME", pod);
        builder.environment().put("POD_NAMESPACE", cluster.namespace());
        var doyen = new RunningDoyen(builder);
        started.add(doyen);
        var ports = PORTS.matcher(doyen.awaitOutput("API is on port"));
        assertThat(ports.find()).isTrue();
        return new Running(doyen, Integer.parseInt(ports.group(1)), Integer.parseInt(ports.group(2)));
    }

    private interface Question {
        boolean holds() throws Exception;
    }

    private static void awaitTrue(String what, Question question) throws Exception {
        long until = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!question.holds()) {
            assertThat(until - System.nanoTime()).as(what).isPositive();
            LockSupport.parkNanos(20_000_000);
        }
    }

    private final class Running {

        private final RunningDoyen doyen;
        private final int port;
        private final int probePort;

        Running(RunningDoyen doyen, int port, int probePort) {
            this.doyen = doyen;
            this.port = port;
            this.probePort = probePort;
        }

        String name() throws IOException, InterruptedException {
            return MAPPER.readTree(get(port, "/")).path("name").asText("?");
        }

        JsonNode election() throws IOException, InterruptedException {
            return MAPPER.readTree(get(port, "/v1/elections/orders"));
        }

        String metrics() throws IOException, InterruptedException {
            return get(probePort, "/metrics");
        }

        void awaitName(String expected) throws Exception {
            awaitTrue("named: " + expected, () -> name().equals(expected));
        }

        String get(int at, String path) throws IOException, InterruptedException {
            return http.send(
                            HttpRequest.newBuilder(URI.create("http://localhost:" + at + path))
                                    .timeout(Duration.ofSeconds(60))
                                    .build(),
                            BodyHandlers.ofString())
                    .body();
        }
    }
}
