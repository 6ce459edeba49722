package dev.doyen.injector.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.Candidate;
import dev.doyen.Election;
import dev.doyen.injector.Marks;
import dev.doyen.injector.Yamls;
import dev.doyen.kubernetesserver.KubernetesServer;
import dev.doyen.store.LeaseStores;
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
 * What examples/kubernetes shows, on a real API server with its controllers, the chart's roles and the injector. No scheduler
 * and no kubelet run the pods; in their stead this test says that they are ready, and stands for each of them in the election that its
 * elector is told to stand in, with the rights of its service account.
 */
class ExampleOnKubernetesTest {

    private static final Path EXAMPLE = Path.of("../examples/kubernetes");
    private static final String SHOP = "/api/v1/namespaces/shop";
    private static final String PODS = SHOP + "/pods";

    private final Map<String, Candidate> electors = new TreeMap<>();
    private final List<AutoCloseable> opened = new ArrayList<>();
    private Cluster cluster;

    @BeforeEach
    void start(@TempDir Path directory) throws Exception {
        KubernetesServer.assumeInstalled();
        cluster = Cluster.start(directory);
        opened.add(cluster);
        cluster.make("/api/v1/namespaces", "{metadata: {name: shop}}");
        cluster.startInjector("--beat=1s");
    }

    @AfterEach
    void stop() throws Exception {
        for (int i = opened.size() - 1; i >= 0; i--) {
            opened.get(i).close();
        }
    }

    @Test
    void one_added_label_gives_a_deployment_a_leader_to_which_a_service_leads() throws Exception {
        cluster.make(
                "/apis/apps/v1/namespaces/shop/deployments",
                Yamls.read(EXAMPLE.resolve("deployment.yaml")).get(0));
        cluster.make(
                SHOP + "/services",
                Yamls.read(EXAMPLE.resolve("leader-service.yaml")).get(0));
        var addresses = run(twoPods());
        cluster.await(
                "/apis/rbac.authorization.k8s.io/v1/namespaces/shop/rolebindings",
                "",
                binding -> binding.at("/metadata/name").asText().equals("elector-default-e0510cc7"));
        for (var pod : addresses.keySet()) {
            stand(pod);
        }

        var first = leader("");
        assertThat(electors.get(first).isLeader()).isTrue();
        assertThat(routed(addresses.get(first))).containsExactly(addresses.get(first));
        shownByKubectl(
                first,
                addresses.keySet().stream()
                        .filter(each -> !each.equals(first))
                        .findFirst()
                        .orElseThrow());

        electors.get(first).resign().get();

        var second = leader(first);
        assertThat(routed(addresses.get(second))).containsExactly(addresses.get(second));
        assertThat(cluster.admin()
                        .get(PODS + "/" + first)
                        .body()
                        .at("/metadata/labels")
                        .has(Marks.LEADER))
                .isFalse();
    }

    /** The columns and the names of what the example's page shows. */
    private void shownByKubectl(String leader, String follower) throws Exception {
        var said = kubectl("-n", "shop", "get", "lease,pods", "-L", Marks.LEADER);
        assertThat(said.lines().map(line -> line.replaceAll(" +", " ").strip()))
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
            var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(said).isZero();
            System.out.println(said);
            return said;
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

    /** As a scheduler and a kubelet say it. Returns each pod's address. */
    private Map<String, String> run(List<String> pods) throws Exception {
        var addresses = new TreeMap<String, String>();
        cluster.make("/api/v1/nodes", "{metadata: {name: machine}}");
        for (var pod : pods) {
            cluster.make(
                    PODS + "/" + pod + "/binding",
                    "{metadata: {name: " + pod + "}, target: {apiVersion: v1, kind: Node, name: machine}}");
            var address = "10.1.0." + (addresses.size() + 1);
            addresses.put(pod, address);
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
                    .patch(PODS + "/" + pod + "/status", KubernetesApi.MERGE_PATCH, status)
                    .expect("running " + pod, 200);
        }
        return addresses;
    }

    private void stand(String pod) throws Exception {
        var store = LeaseStores.open(
                "kubernetes:shop?kubeconfig=" + cluster.server().kubeconfig("shop/default"));
        opened.add(store);
        var election = Election.lease("orders").store(store).open();
        opened.add(election);
        electors.put(pod, election.join(pod));
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

    /** Where the Service leads, once it leads to this address. */
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
