package dev.doyen.injector.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.injector.Marks;
import dev.doyen.injector.Yamls;
import dev.doyen.injector.chart.Chart;
import dev.doyen.kubernetesserver.KubernetesServer;
import dev.doyen.testkit.ServerProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the injector with the chart's roles on a real API server with its controllers.
 *
 * <p>The server has version 1.20 and does not support native sidecars. The server removes the {@code restartPolicy} of
 * a container, and rejects a startup probe of an init container. So the injector adds a plain container in this test.
 * {@link WebhookCertificateTest} checks the native sidecar in the answer of the webhook.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class InjectorOnKubernetesTest {

    private static final String PODS = "/api/v1/namespaces/shop/pods";
    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/shop/leases";
    private static final String BINDINGS = "/apis/rbac.authorization.k8s.io/v1/namespaces/shop/rolebindings";

    private Cluster cluster;
    private ServerProcess injector;

    @BeforeAll
    void start(@TempDir Path directory) throws Exception {
        KubernetesServer.assumeInstalled();
        cluster = Cluster.start(directory);
        cluster.make("/api/v1/namespaces", "{metadata: {name: shop}}");
        cluster.make(
                "/apis/rbac.authorization.k8s.io/v1/clusterroles",
                "{metadata: {name: reads-secrets}, rules: [{apiGroups: [''], resources: [secrets], verbs: [get]}]}");
        injector = cluster.startInjector("--check-interval=1s");
    }

    @AfterAll
    void stop() {
        if (cluster != null) {
            cluster.close();
        }
    }

    @Test
    void pods_of_a_deployment_with_the_label_carry_the_elector() throws Exception {
        var pod = deploy("orders", 2).get(0);

        assertThat(pod.at("/metadata/annotations").path(Marks.ELECTION).asText())
                .isEqualTo("orders");
        assertThat(pod.at("/spec/containers")).hasSize(2);
        assertThat(pod.at("/spec/containers/1"))
                .isEqualTo(Yamls.read(Path.of("src/test/resources/elector-on-1.20.yaml"))
                        .get(0));
        assertThat(pod.at("/spec/containers/0/env")).isEqualTo(Yamls.parse("""
                        - {name: ELECTOR_PATH, value: "localhost:4040"}
                        - {name: ELECTOR_GET_URL, value: "http://localhost:4040/"}
                        - {name: ELECTOR_SSE_URL, value: "http://localhost:4040/sse"}
                        - {name: LOG, value: json}
                        """).get(0));
    }

    @Test
    void a_second_pass_changes_nothing() throws Exception {
        var once = dryRun(pod("twice"));
        ObjectNode again = once.deepCopy();
        again.withObject("/metadata").remove(List.of("uid", "creationTimestamp", "managedFields"));
        assertThat(dryRun(again).path("spec")).isEqualTo(once.path("spec"));
        assertThat(dryRun(again).at("/metadata/annotations")).isEqualTo(once.at("/metadata/annotations"));
    }

    @Test
    void a_dry_run_returns_the_elector_and_stores_nothing() throws Exception {
        assertThat(dryRun(pod("dry")).at("/spec/containers/1/name").asText()).isEqualTo("elector");
        assertThat(cluster.admin().get(PODS + "/dry").status()).isEqualTo(404);
    }

    @Test
    void an_invalid_annotation_is_rejected_by_the_webhook_with_a_sentence() throws Exception {
        var pod = pod("bad");
        pod.withObject("/metadata/annotations").put("elector.doyen.dev/port", "80");
        var answer = cluster.admin().post(PODS, pod);
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.body().path("message").asText())
                .isEqualTo("admission webhook \"inject.elector.doyen.dev\" denied the request: annotation"
                        + " elector.doyen.dev/port is \"80\"; it must be a port from 1024 to 65535, or be left out");
    }

    @ParameterizedTest
    @ValueSource(strings = {"True", "yes", ""})
    void a_mistyped_label_is_rejected_by_the_webhook_with_a_sentence(String value) throws Exception {
        var pod = pod("mistyped");
        pod.withObject("/metadata/labels").put(Marks.INJECT, value);
        var answer = cluster.admin().post(PODS, pod);
        assertThat(answer.status()).isEqualTo(422);
        assertThat(answer.body().path("message").asText())
                .isEqualTo("admission webhook \"inject.elector.doyen.dev\" denied the request: label"
                        + " elector.doyen.dev/inject is \"" + value
                        + "\"; it must be \"true\" or \"false\", or be left out");
    }

    @Test
    void a_pod_that_requests_no_elector_does_not_wait_for_the_webhook() throws Exception {
        var unlabelled = pod("unlabelled");
        unlabelled.withObject("/metadata").remove("labels");
        var declined = pod("declined");
        declined.withObject("/metadata/labels").put(Marks.INJECT, "false");
        injector.freeze();
        try {
            for (var pod : List.of(unlabelled, declined)) {
                assertThat(dryRun(pod).at("/spec/containers")).hasSize(1);
            }
            // While the webhook does not answer, the API server rejects a pod with the label, because such a pod must
            // not start without its elector.
            var answer = cluster.admin().post(PODS + "?dryRun=All", pod("labelled"));
            assertThat(answer.status()).isEqualTo(500);
            assertThat(answer.body().path("message").asText())
                    .contains("failed calling webhook \"inject.elector.doyen.dev\"");
        } finally {
            injector.thaw();
        }
    }

    @Test
    void a_role_binding_is_created_with_the_minimal_rights_of_an_elector() throws Exception {
        cluster.make("/api/v1/namespaces/shop/serviceaccounts", "{metadata: {name: clerk}}");
        var pod = pod("bound");
        pod.withObject("/spec").put("serviceAccountName", "clerk");
        cluster.make(PODS, pod);

        var binding = cluster.await(
                BINDINGS, "", each -> each.at("/subjects/0/name").asText().equals("clerk"));
        assertThat(binding.at("/metadata/name").asText()).isEqualTo("elector-clerk-68f59322");
        assertThat(binding.at("/roleRef/name").asText()).isEqualTo("elector");
        // With this label, the injector finds its RoleBindings again. The label is also used to remove the RoleBindings
        // when the chart is uninstalled.
        assertThat(binding.at("/metadata/labels")
                        .path("app.kubernetes.io/managed-by")
                        .asText())
                .isEqualTo("doyen-injector");

        var clerk = cluster.asServiceAccount("shop", "clerk");
        ObjectNode lease = (ObjectNode) Yamls.parse(
                        "{apiVersion: coordination.k8s.io/v1, kind: Lease, metadata: {name: bound}, spec: {holderIdentity: a}}")
                .get(0);
        var made = clerk.post(LEASES, lease);
        assertThat(made.status()).isEqualTo(201);
        assertThat(clerk.put(LEASES + "/bound", made.body()).status()).isEqualTo(200);
        assertThat(clerk.get(LEASES + "?fieldSelector=metadata.name%3Dbound").status())
                .isEqualTo(200);
        assertThat(clerk.get(LEASES + "?watch=true&timeoutSeconds=1").status()).isEqualTo(200);
        assertThat(clerk.get(PODS + "/bound").status()).isEqualTo(200);
        assertThat(clerk.get(PODS).status()).isEqualTo(403);
        assertThat(clerk.patch(LEASES + "/bound", KubernetesApi.MERGE_PATCH, lease)
                        .status())
                .isEqualTo(403);
        assertThat(clerk.get("/apis/coordination.k8s.io/v1/namespaces/default/leases")
                        .status())
                .isEqualTo(403);
        assertThat(clerk.get("/api/v1/namespaces/shop/secrets").status()).isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource({"elector, 201", "reads-secrets, 403", "cluster-admin, 403"})
    void the_injector_can_bind_only_the_role_of_the_elector(String role, int status) throws Exception {
        var us = cluster.asServiceAccount(Chart.NAMESPACE, "elector-injector");
        var binding = Yamls.parse("""
                metadata: {name: tried}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %s}
                subjects: [{kind: ServiceAccount, name: default, namespace: shop}]
                """.formatted(role)).get(0);
        assertThat(us.post(BINDINGS + "?dryRun=All", binding).status()).isEqualTo(status);
        assertThat(us.get("/api/v1/namespaces/shop/secrets").status()).isEqualTo(403);
        assertThat(us.get("/api/v1/namespaces/" + Chart.NAMESPACE + "/secrets/other")
                        .status())
                .isEqualTo(403);
    }

    @Test
    void the_label_is_removed_from_the_former_leader_before_it_is_set_on_the_next() throws Exception {
        var pods = deploy("labelled", 2);
        var first = pods.get(0).at("/metadata/name").asText();
        var second = pods.get(1).at("/metadata/name").asText();
        var lease = cluster.make(
                LEASES,
                Yamls.parse("{metadata: {name: labelled}, spec: {holderIdentity: " + first + "}}")
                        .get(0));
        cluster.await(PODS, "", pod -> isLeader(pod, first));

        ((ObjectNode) lease.path("spec")).put("holderIdentity", second);
        var handedOver = cluster.admin().put(LEASES + "/labelled", lease).expect("handing over", 200);

        var labelled = cluster.await(PODS, "", pod -> isLeader(pod, second));
        var cleared = cluster.admin().get(PODS + "/" + first).body();
        assertThat(cleared.at("/metadata/labels").has(Marks.LEADER)).isFalse();
        assertThat(version(cleared)).isLessThan(version(labelled));

        ((ObjectNode) handedOver.path("spec")).put("holderIdentity", "");
        cluster.admin().put(LEASES + "/labelled", handedOver).expect("resigning", 200);
        cluster.await(PODS, "", pod -> pod.at("/metadata/name").asText().equals(second) && !isLeader(pod, second));
    }

    private static boolean isLeader(JsonNode pod, String name) {
        return pod.at("/metadata/name").asText().equals(name)
                && pod.at("/metadata/labels").path(Marks.LEADER).asText().equals("true");
    }

    private static long version(JsonNode object) {
        return Long.parseLong(object.at("/metadata/resourceVersion").asText());
    }

    /** Creates a Deployment, and returns the pods that the controllers create for it, sorted by name. */
    private List<JsonNode> deploy(String name, int replicas) throws Exception {
        ObjectNode deployment =
                (ObjectNode) Yamls.parse("""
                metadata: {name: %1$s}
                spec:
                  replicas: %2$d
                  selector: {matchLabels: {app: %1$s}}
                  template:
                    metadata: {labels: {app: %1$s, elector.doyen.dev/inject: "true"}}
                    spec:
                      containers:
                      - {name: app, image: shop, env: [{name: LOG, value: json}]}
                """.formatted(name, replicas)).get(0);
        cluster.make("/apis/apps/v1/namespaces/shop/deployments", deployment);
        var selection = "labelSelector=app%3D" + name;
        var seen = new ArrayList<String>();
        cluster.await(PODS, "&" + selection, pod -> {
            var each = pod.at("/metadata/name").asText();
            if (!seen.contains(each)) {
                seen.add(each);
            }
            return seen.size() == replicas;
        });
        var items = cluster.admin().get(PODS + "?" + selection).body().path("items");
        return StreamSupport.stream(items.spliterator(), false)
                .sorted(Comparator.comparing(pod -> pod.at("/metadata/name").asText()))
                .toList();
    }

    private static ObjectNode pod(String name) {
        return (ObjectNode) Yamls.parse("""
                metadata:
                  name: %1$s
                  labels: {elector.doyen.dev/inject: "true"}
                  annotations: {elector.doyen.dev/election: %1$s}
                spec:
                  containers: [{name: app, image: shop}]
                """.formatted(name)).get(0);
    }

    private JsonNode dryRun(JsonNode pod) throws Exception {
        return cluster.admin().post(PODS + "?dryRun=All", pod).expect("a dry run", 201);
    }
}
