package dev.doyen.injector.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.injector.Marks;
import dev.doyen.injector.Yamls;
import dev.doyen.kubernetesserver.KubernetesServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs examples/kubernetes on a real API server with its controllers.
 *
 * <p>The API server also has the chart's roles and the injector, but no scheduler and no kubelet. Instead, this test
 * starts the elector of each pod with the arguments and environment from the API server. The test marks the pod as
 * ready when its probes succeed.
 */
class ExampleOnKubernetesTest {

    private static final Path EXAMPLE = Path.of("../../examples/kubernetes");
    private static final String SHOP = "/api/v1/namespaces/shop";
    private static final String PODS = SHOP + "/pods";

    private final Map<String, RunningElector> electors = new TreeMap<>();
    private final Map<String, String> addresses = new TreeMap<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private Cluster cluster;
    private Path logs;

    @BeforeEach
    void start(@TempDir Path directory) throws Exception {
        KubernetesServer.assumeInstalled();
        logs = directory;
        cluster = Cluster.start(directory);
        opened.add(cluster);
        cluster.make("/api/v1/namespaces", "{metadata: {name: shop}}");
        cluster.startInjector("--check-interval=1s");
    }

    @AfterEach
    void stop() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    @Test
    void one_label_gives_a_deployment_a_leader_that_a_service_selects() throws Exception {
        cluster.make(
                "/apis/apps/v1/namespaces/shop/deployments",
                Yamls.read(EXAMPLE.resolve("deployment.yaml")).get(0));
        cluster.make(
                SHOP + "/services",
                Yamls.read(EXAMPLE.resolve("leader-service.yaml")).get(0));
        run(twoPods());
        cluster.await(
                "/apis/rbac.authorization.k8s.io/v1/namespaces/shop/rolebindings",
                "",
                binding -> binding.at("/metadata/name").asText().equals("elector-default-e0510cc7"));

        var first = leader("");
        for (var elector : electors.values()) {
            elector.awaitLeader(first);
        }
        assertThat(routed(addresses.get(first))).containsExactly(addresses.get(first));
        shownByKubectl(
                first,
                electors.keySet().stream()
                        .filter(each -> !each.equals(first))
                        .findFirst()
                        .orElseThrow());

        // Like kubectl, the test requests the deletion of the pod. Like a kubelet, the test sends SIGTERM to the
        // elector, and removes the pod at the end.
        delete(first, 30);
        electors.get(first).terminate();

        var second = leader(first);
        electors.get(second).awaitLeader(second);
        assertThat(routed(addresses.get(second))).containsExactly(addresses.get(second));
        assertThat(pod(first).at("/metadata/labels").has(Marks.LEADER)).isFalse();
        delete(first, 0);
    }

    /** Checks that kubectl prints the columns and names that the documentation page of the example shows. */
    private void shownByKubectl(String leader, String follower) throws Exception {
        var output = kubectl("-n", "shop", "get", "lease,pods", "-L", Marks.LEADER);
        assertThat(output.lines().map(line -> line.replaceAll(" +", " ").strip()))
                .anyMatch(line -> line.equals("NAME HOLDER AGE LEADER"))
                .anyMatch(line -> line.matches("lease.coordination.k8s.io/orders " + leader + " \\d+s"))
                .anyMatch(line -> line.equals("NAME READY STATUS RESTARTS AGE LEADER"))
                .anyMatch(line -> line.matches("pod/" + leader + " \\d/2 Running 0 \\d+s true"))
                .anyMatch(line -> line.matches("pod/" + follower + " \\d/2 Running 0 \\d+s"));
    }

    private String kubectl(String... arguments) throws Exception {
        var command = new ArrayList<>(List.of(
                "kubectl", "--kubeconfig", cluster.server().kubeconfig("admin").toString()));
        command.addAll(List.of(arguments));
        try {
            var process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
            var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isZero();
            System.out.println(output);
            return output;
        } catch (IOException e) {
            var why = "what kubectl shows of the example: there is no kubectl";
            System.out.println("SKIPPED: " + why);
            return Assumptions.abort(why);
        }
    }

    private List<String> twoPods() throws Exception {
        var names = new ArrayList<String>();
        cluster.await(PODS, "&labelSelector=app%3Dorders", pod -> {
            assertThat(pod.at("/spec/containers/1/name").asText()).isEqualTo("elector");
            var name = pod.at("/metadata/name").asText();
            if (!names.contains(name)) {
                names.add(name);
            }
            return names.size() == 2;
        });
        return names;
    }

    /**
     * Starts the pods in place of a scheduler and a kubelet. The method does not wait for the RoleBinding, because each
     * elector itself checks repeatedly whether it already has its rights.
     */
    private void run(List<String> pods) throws Exception {
        cluster.make("/api/v1/nodes", "{metadata: {name: machine}}");
        for (var pod : pods) {
            cluster.make(
                    PODS + "/" + pod + "/binding",
                    "{metadata: {name: " + pod + "}, target: {apiVersion: v1, kind: Node, name: machine}}");
            var elector = RunningElector.start(cluster.server(), pod(pod), logs);
            opened.add(elector);
            electors.put(pod, elector);
        }
        for (var elector : electors.values()) {
            elector.awaitProbes();
            var address = "10.1.0." + (addresses.size() + 1);
            addresses.put(elector.name(), address);
            var status = Yamls.parse("""
                status:
                  phase: Running
                  podIP: %1$s
                  podIPs: [{ip: %1$s}]
                  conditions: [{type: Ready, status: "True"}]
                  containerStatuses:
                  - {name: app, ready: true, restartCount: 0, image: busybox, imageID: b, state: {running: {}}}
                  - {name: elector, ready: true, restartCount: 0, image: e, imageID: e, state: {running: {}}}
                """.formatted(address)).get(0);
            cluster.admin()
                    .patch(PODS + "/" + elector.name() + "/status", KubernetesApi.MERGE_PATCH, status)
                    .expect("running " + elector.name(), 200);
        }
    }

    private JsonNode pod(String name) throws Exception {
        return cluster.admin().get(PODS + "/" + name).expect("looking at " + name, 200);
    }

    private void delete(String pod, int graceSeconds) throws Exception {
        var answer =
                cluster.server().send("DELETE", PODS + "/" + pod, "{\"gracePeriodSeconds\": " + graceSeconds + "}");
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    }

    private String leader(String notThis) throws Exception {
        return cluster.await(
                        PODS,
                        "&labelSelector=" + Marks.LEADER + "%3Dtrue",
                        pod -> pod.at("/metadata/labels")
                                        .path(Marks.LEADER)
                                        .asText()
                                        .equals("true")
                                && !pod.at("/metadata/name").asText().equals(notThis))
                .at("/metadata/name")
                .asText();
    }

    /** Waits until the Service routes to this address, and returns all addresses of the Service. */
    private List<String> routed(String address) throws Exception {
        var endpoints = cluster.await(
                SHOP + "/endpoints",
                "&fieldSelector=metadata.name%3Dorders-leader",
                each -> addresses(each).contains(address));
        return addresses(endpoints);
    }

    private static List<String> addresses(JsonNode endpoints) {
        return endpoints.path("subsets").findValuesAsText("ip");
    }
}
