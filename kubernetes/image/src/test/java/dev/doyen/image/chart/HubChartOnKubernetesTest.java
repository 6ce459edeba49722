package dev.doyen.image.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.kubernetesserver.KubernetesServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Installs the chart on a real API server with real controllers.
 *
 * <p>The server must store each field of each object. The controllers create the pods and route the Services to the
 * pods. The pods must satisfy the restricted profile. No kubelet runs the pods.
 */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
class HubChartOnKubernetesTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String NODE = "machine";

    private static final Map<String, String> PLURALS = Map.of(
            "ConfigMap", "configmaps",
            "Deployment", "deployments",
            "Ingress", "ingresses",
            "NetworkPolicy", "networkpolicies",
            "PodDisruptionBudget", "poddisruptionbudgets",
            "Service", "services",
            "StatefulSet", "statefulsets");

    private static KubernetesServer server;

    @BeforeAll
    static void start(@TempDir Path folder) throws Exception {
        KubernetesServer.assumeInstalled();
        server = KubernetesServer.start(folder);
        server.startControllerManager();
        server.make("/api/v1/nodes", "{\"metadata\": {\"name\": \"" + NODE + "\"}}");
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void one_node_gets_a_pod_and_a_volume() throws Exception {
        install("one", HubChart.render(HubChart.ONE_NODE, "data.size=2Gi"));

        var pod = awaitPods("one", 1).get(0);
        assertThat(pod.at("/metadata/name").asText()).isEqualTo("hub-0");
        assertThat(RestrictedProfile.violations(pod.path("spec"))).isEmpty();
        var claim = JSON.readTree(server.send("GET", "/api/v1/namespaces/one/persistentvolumeclaims/data-hub-0", "")
                .body());
        assertThat(claim.at("/spec/resources/requests/storage").asText()).isEqualTo("2Gi");
        assertThat(pod.at("/spec/volumes").findValuesAsText("claimName")).containsExactly("data-hub-0");
        routed("one", pod);
    }

    @Test
    void three_nodes_get_three_pods() throws Exception {
        install("several", HubChart.render(HubChart.NODES));

        for (var pod : awaitPods("several", 3)) {
            assertThat(RestrictedProfile.violations(pod.path("spec"))).isEmpty();
            routed("several", pod);
        }
    }

    private static void install(String namespace, List<JsonNode> objects) throws Exception {
        server.make("/api/v1/namespaces", "{\"metadata\": {\"name\": \"" + namespace + "\"}}");
        for (var object : objects) {
            var kind = object.path("kind").asText();
            var group = object.path("apiVersion").asText();
            var path = (group.contains("/") ? "/apis/" : "/api/") + group;
            var sent = (ObjectNode) object.deepCopy();
            if (server.send("GET", path, "").statusCode() == 404) {
                // Before Kubernetes 1.21, PodDisruptionBudgets have only the version v1beta1, which has the same fields
                // as v1.
                path = path + "beta1";
                sent.put("apiVersion", group + "beta1");
            }
            var answer = server.send(
                    "POST", path + "/namespaces/" + namespace + "/" + PLURALS.get(kind), JSON.writeValueAsString(sent));
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
            assertContains(kind, JSON.readTree(answer.body()), sent);
        }
    }

    /** Checks that the server has stored each field. The server silently drops fields that it does not know. */
    private static void assertContains(String path, JsonNode stored, JsonNode sent) {
        if (sent.isObject()) {
            sent.properties()
                    .iterator()
                    .forEachRemaining(each ->
                            assertContains(path + "." + each.getKey(), stored.path(each.getKey()), each.getValue()));
        } else if (sent.isArray()) {
            assertThat(stored).as(path).hasSameSizeAs(sent);
            for (int i = 0; i < sent.size(); i++) {
                assertContains(path + "[" + i + "]", stored.path(i), sent.path(i));
            }
        } else {
            assertThat(stored).as(path).isEqualTo(sent);
        }
    }

    /** Waits until the namespace has this number of pods, and returns the pods. */
    private static List<JsonNode> awaitPods(String namespace, int number) throws Exception {
        return await("/api/v1/namespaces/" + namespace + "/pods", all -> all.size() == number);
    }

    /**
     * Waits until both Services route to the pod. Like a scheduler and a kubelet, this method assigns a node and an
     * address to the pod, and marks it as ready.
     */
    private static void routed(String namespace, JsonNode pod) throws Exception {
        var name = pod.at("/metadata/name").asText();
        var path = "/api/v1/namespaces/" + namespace + "/pods/" + name;
        server.make(
                path + "/binding",
                "{\"metadata\": {\"name\": \"" + name + "\"}, \"target\": {\"kind\": \"Node\", \"name\": \"" + NODE
                        + "\"}}");
        var address = "10.1.0." + (1 + Math.floorMod(name.hashCode(), 250));
        var answer = server.send("PATCH", path + "/status", """
                {"status": {"phase": "Running", "podIP": "%1$s", "podIPs": [{"ip": "%1$s"}],
                 "conditions": [{"type": "Ready", "status": "True"}]}}\
                """.formatted(address));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        for (var service : Map.of("hub", 8000, "hub-elector", 4040).entrySet()) {
            await(
                    "/api/v1/namespaces/" + namespace + "/endpoints",
                    all -> all.stream()
                            .filter(each -> each.at("/metadata/name").asText().equals(service.getKey()))
                            .anyMatch(each -> each.at("/subsets/0/addresses")
                                            .findValuesAsText("ip")
                                            .contains(address)
                                    && each.at("/subsets/0/ports/0/port").asInt() == service.getValue()));
        }
    }

    /** Polls the collection until the condition is true. */
    private static List<JsonNode> await(String collection, Predicate<List<JsonNode>> condition) throws Exception {
        for (var all = items(collection); ; all = items(collection)) {
            if (condition.test(all)) {
                return all;
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }

    private static List<JsonNode> items(String collection) throws Exception {
        List<JsonNode> items = new ArrayList<>();
        JSON.readTree(server.send("GET", collection, "").body()).path("items").forEach(items::add);
        return items;
    }
}
