package dev.doyen.injector.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.injector.Marks;
import dev.doyen.injector.Yamls;
import dev.doyen.kubernetesserver.KubernetesServer;
import dev.doyen.testkit.ServerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests that electors observe their applications, on a real API server with its controllers and the injector.
 *
 * <p>The manifests contain only the label and the application's own probes. The cluster has no kubelet, so this test
 * starts the application and the elector of each pod. The API server has version 1.20, so each elector runs in a plain
 * container.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HealthOnKubernetesTest {

    private static final String PODS = "/api/v1/namespaces/shop/pods";
    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/shop/leases";

    private final Map<String, ServerProcess> applications = new TreeMap<>();
    private final Map<String, RunningElector> electors = new TreeMap<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private Cluster cluster;
    private Path logs;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        KubernetesServer.assumeInstalled();
        logs = directory;
        cluster = Cluster.start(directory);
        cluster.make("/api/v1/namespaces", "{metadata: {name: shop}}");
        cluster.startInjector("--check-interval=1s");
    }

    @AfterEach
    void stopPods() throws Exception {
        for (var each : opened) {
            each.close();
        }
        opened.clear();
        applications.clear();
        electors.clear();
    }

    @AfterAll
    void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void an_app_that_hangs_is_replaced() throws Exception {
        runTwoPods("hanging", "periodSeconds: 1, failureThreshold: 3");
        var first = awaitLeader("hanging", "");

        applications.get(first).freeze();

        var second = awaitLeader("hanging", first);
        electors.get(second).awaitLeader(second);
        electors.get(first).awaitLeader(second);
    }

    @Test
    void a_plain_sidecar_holds_the_lease_until_its_app_has_ended() throws Exception {
        // The app is unhealthy only after a very long time, so a busy machine does not change the leader.
        runTwoPods("ending", "periodSeconds: 60, timeoutSeconds: 60, failureThreshold: 100");
        var first = awaitLeader("ending", "");
        var second = electors.keySet().stream()
                .filter(name -> !name.equals(first))
                .findFirst()
                .orElseThrow();
        electors.get(second).awaitLeader(first);

        var ended = CompletableFuture.runAsync(() -> electors.get(first).terminate());
        electors.get(first).awaitLeader("");
        var held = lease("ending").path("spec");
        var next = cluster.await(
                        LEASES,
                        "&fieldSelector=metadata.name%3Dending",
                        lease -> !lease.path("spec").equals(held))
                .path("spec");
        assertThat(held.path("holderIdentity").asText()).isEqualTo(first);
        assertThat(next.path("holderIdentity").asText())
                .as("the holder renews the lease after the signal")
                .isEqualTo(first);
        assertThat(ended).isNotDone();

        applications.get(first).terminate();
        ended.join();
        assertThat(awaitLeader("ending", first)).isEqualTo(second);
        electors.get(second).awaitLeader(second);
    }

    @Test
    void the_creator_of_a_pod_gets_a_warning_about_a_probe_that_the_elector_cannot_run() throws Exception {
        var warning = "the elector ignores the livenessProbe of container app, because the probe runs a command in that"
                + " container; annotation elector.doyen.dev/health-http sets another check";
        var answer = cluster.server().send("POST", PODS + "?dryRun=All", """
                {"metadata": {"name": "warned", "labels": {"elector.doyen.dev/inject": "true"},
                  "annotations": {"elector.doyen.dev/election": "warned"}},
                "spec": {"containers": [
                  {"name": "app", "image": "shop", "livenessProbe": {"exec": {"command": ["a"]}}}]}}
                """);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
        assertThat(answer.headers().allValues("Warning")).containsExactly("299 - \"" + warning + "\"");
        assertThat(KubernetesApi.parse(answer.body())
                        .at("/metadata/annotations")
                        .path(Marks.WARNING)
                        .asText())
                .isEqualTo(warning);
    }

    @Test
    void a_pod_with_a_wrong_health_option_is_rejected_with_a_sentence() throws Exception {
        var answer = cluster.server().send("POST", PODS + "?dryRun=All", """
                {"metadata": {"name": "bad", "labels": {"elector.doyen.dev/inject": "true"},
                  "annotations": {"elector.doyen.dev/election": "bad", "elector.doyen.dev/fall": "0"}},
                "spec": {"containers": [{"name": "app", "image": "shop"}]}}
                """);
        assertThat(answer.statusCode()).isEqualTo(422);
        assertThat(answer.body())
                .contains("annotation elector.doyen.dev/fall is \\\"0\\\"; it must be a number from 1 to 100, or be"
                        + " left out");
    }

    /** Creates a Deployment, and starts the application and the elector of its two pods. */
    private void runTwoPods(String name, String times) throws Exception {
        cluster.make(
                "/apis/apps/v1/namespaces/shop/deployments",
                Yamls.parse("""
                metadata: {name: %1$s}
                spec:
                  replicas: 2
                  selector: {matchLabels: {app: %1$s}}
                  template:
                    metadata: {labels: {app: %1$s, elector.doyen.dev/inject: "true"}}
                    spec:
                      containers:
                      - name: app
                        image: shop
                        ports: [{name: web, containerPort: 8080}]
                        livenessProbe: {httpGet: {path: /livez, port: web}, %2$s}
                """.formatted(name, times)).get(0));
        var pods = new TreeMap<String, JsonNode>();
        cluster.await(PODS, "&labelSelector=app%3D" + name, pod -> {
            pods.put(pod.at("/metadata/name").asText(), pod);
            return pods.size() == 2;
        });
        for (var pod : pods.entrySet()) {
            var application = ShopApplication.start(logs.resolve(pod.getKey() + "-app.log"));
            opened.add(application);
            applications.put(pod.getKey(), application);
            var elector =
                    RunningElector.start(cluster.server(), pod.getValue(), logs, Map.of("8080", application.port()));
            opened.add(elector);
            electors.put(pod.getKey(), elector);
        }
    }

    /** Waits until the Lease of the election has a holder, which is not this pod, and returns the holder. */
    private String awaitLeader(String election, String notThis) throws Exception {
        return cluster.await(LEASES, "&fieldSelector=metadata.name%3D" + election, lease -> {
                    var holder = lease.at("/spec/holderIdentity").asText();
                    return !holder.isEmpty() && !holder.equals(notThis);
                })
                .at("/spec/holderIdentity")
                .asText();
    }

    private JsonNode lease(String election) throws Exception {
        return cluster.admin().get(LEASES + "/" + election).expect("reading the Lease", 200);
    }
}
