package dev.doyen.program;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.kubernetesserver.KubernetesServer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests examples/ring-on-kubernetes on a real API server with real controllers.
 *
 * <p>The server must accept each object unchanged. Only on Kubernetes before 1.21, the test changes the API version of
 * the PodDisruptionBudget. The Service must list the pods before they are ready. No kubelet runs the pods.
 */
@Timeout(value = 6, unit = TimeUnit.MINUTES)
final class RingOnKubernetesTest {

    private static final ObjectMapper JSON = new ObjectMapper();

    /** The API path of each kind of object, in the API version of the manifest. */
    private static final Map<String, String> COLLECTIONS = Map.of(
            "Service", "/api/v1",
            "Deployment", "/apis/apps/v1",
            "PodDisruptionBudget", "/apis/policy/v1",
            "NetworkPolicy", "/apis/networking.k8s.io/v1");

    private static final Map<String, String> PLURALS = Map.of(
            "Service", "services",
            "Deployment", "deployments",
            "PodDisruptionBudget", "poddisruptionbudgets",
            "NetworkPolicy", "networkpolicies");

    private static final String NODE = "node-1";

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
    void the_service_lists_the_three_pods_before_they_are_ready() throws Exception {
        Set<String> names = applied("ring");
        assertThat(names).hasSize(3).allMatch(name -> name.startsWith("ring-"));
    }

    /**
     * Applies the manifest in a new namespace, and returns the names of the pods. Like a scheduler and a kubelet, this
     * method assigns a node and addresses to the pods.
     */
    private static Set<String> applied(String namespace) throws Exception {
        server.make("/api/v1/namespaces", "{\"metadata\": {\"name\": \"" + namespace + "\"}}");
        server.make(
                "/api/v1/namespaces/" + namespace + "/secrets",
                "{\"metadata\": {\"name\": \"ring\"}, \"stringData\": {\"ring.secret\": \"for nobody\"}}");
        for (var part : RingManifest.parts().entrySet()) {
            make(namespace, part.getKey(), (ObjectNode) part.getValue());
        }
        var pods = "/api/v1/namespaces/" + namespace + "/pods";
        int replicas = RingManifest.maker().at("/spec/replicas").asInt();
        Set<String> names = new HashSet<>();
        for (var pod : await(pods, all -> all.size() == replicas)) {
            var name = pod.at("/metadata/name").asText();
            names.add(name);
            server.make(
                    pods + "/" + name + "/binding",
                    "{\"metadata\": {\"name\": \"" + name + "\"}, \"target\": {\"kind\": \"Node\", \"name\": \"" + NODE
                            + "\"}}");
            var answer = server.send("PATCH", pods + "/" + name + "/status", """
                {"status": {"phase": "Running", "podIP": "10.1.0.%1$d", "podIPs": [{"ip": "10.1.0.%1$d"}],
                 "conditions": [{"type": "Ready", "status": "False"}]}}\
                """.formatted(names.size()));
            assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        }
        // DNS reads the Endpoints. Without publishNotReadyAddresses, "addresses" would contain only ready pods.
        var endpoints = "/api/v1/namespaces/" + namespace + "/endpoints";
        var subset = await(
                        endpoints,
                        all -> all.stream()
                                .anyMatch(
                                        each -> each.at("/subsets/0/addresses").size() == replicas))
                .stream()
                .filter(each -> each.at("/metadata/name").asText().equals("ring"))
                .findFirst()
                .orElseThrow()
                .at("/subsets/0");
        assertThat(subset.path("notReadyAddresses")).isEmpty();
        assertThat(subset.path("ports"))
                .extracting(port -> port.path("port").asInt())
                .containsExactlyInAnyOrder(7800, 7900);
        return names;
    }

    private static void make(String namespace, String kind, ObjectNode object) throws Exception {
        var group = COLLECTIONS.get(kind);
        assertThat(group).endsWith("/" + object.path("apiVersion").asText());
        if (server.send("GET", group, "").statusCode() == 404) {
            // Before Kubernetes 1.21, PodDisruptionBudgets have only the version v1beta1, which has the same fields as
            // v1.
            group = group + "beta1";
            object.put("apiVersion", group.substring("/apis/".length()));
        }
        var answer = server.send(
                "POST", group + "/namespaces/" + namespace + "/" + PLURALS.get(kind), JSON.writeValueAsString(object));
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
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
