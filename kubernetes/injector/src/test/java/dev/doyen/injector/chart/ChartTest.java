package dev.doyen.injector.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.marcnuri.helm.Helm;
import com.sun.net.httpserver.HttpServer;
import dev.doyen.injector.Injection;
import dev.doyen.injector.InjectionSettings;
import dev.doyen.injector.Revision;
import dev.doyen.injector.SidecarKind;
import dev.doyen.injector.Yamls;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the objects of the chart, which Helm renders, and the values that the chart rejects. */
class ChartTest {

    @TempDir
    Path copy;

    @Test
    void helm_lint_reports_no_fault() {
        var result = new Helm(Chart.FOLDER).lint().strict().call();
        assertThat(result.isFailed()).as(result.getMessages().toString()).isFalse();
    }

    @Test
    void the_default_chart_contains_a_webhook_and_its_controller() {
        assertThat(kinds(Chart.render()))
                .containsExactlyInAnyOrder(
                        "ClusterRole elector",
                        "ClusterRole elector-injector",
                        "ClusterRoleBinding elector-injector",
                        "Deployment elector-injector",
                        "MutatingWebhookConfiguration elector-injector",
                        "NetworkPolicy elector-injector",
                        "PodDisruptionBudget elector-injector",
                        "Role elector-injector",
                        "RoleBinding elector-injector",
                        "Service elector-injector",
                        "ServiceAccount elector-injector");
    }

    @Test
    void the_webhook_fails_closed_and_handles_only_labelled_pods() {
        var webhook = Chart.the(
                        Chart.render("injector.excludeNamespaces[0]=batch"),
                        "MutatingWebhookConfiguration",
                        "elector-injector")
                .at("/webhooks/0");
        assertThat(webhook).isEqualTo(Yamls.parse("""
                        name: inject.elector.doyen.dev
                        admissionReviewVersions: [v1]
                        clientConfig:
                          service: {name: elector-injector, namespace: doyen-system, path: /inject, port: 443}
                        rules:
                        - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods], scope: Namespaced}
                        objectSelector:
                          matchExpressions:
                          - {key: elector.doyen.dev/inject, operator: Exists}
                          - {key: elector.doyen.dev/inject, operator: NotIn, values: ["false"]}
                        namespaceSelector:
                          matchExpressions:
                          - {key: kubernetes.io/metadata.name, operator: NotIn, values: [kube-system, doyen-system, batch]}
                        failurePolicy: Fail
                        timeoutSeconds: 5
                        reinvocationPolicy: IfNeeded
                        matchPolicy: Equivalent
                        sideEffects: None
                        """).get(0));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void the_injector_may_change_pods_only_to_label_leaders(boolean labels) {
        var objects = Chart.render("injector.leaderLabels=" + labels);
        var rights = new ArrayList<String>();
        for (var rule : Chart.the(objects, "ClusterRole", "elector-injector").path("rules")) {
            rights.add(rule.path("resources") + " " + rule.path("verbs"));
        }
        assertThat(rights)
                .containsAll(
                        labels
                                ? List.of(
                                        "[\"pods\"] [\"list\",\"watch\",\"patch\"]",
                                        "[\"leases\"] [\"list\",\"watch\"]")
                                : List.of("[\"pods\"] [\"list\",\"watch\"]"));
        assertThat(rights).contains("[\"replicasets\"] [\"get\"]");
        assertThat(rights.toString().contains("patch")).isEqualTo(labels);
        assertThat(rights.toString().contains("leases")).isEqualTo(labels);
        assertThat(Chart.the(objects, "Deployment", "elector-injector")
                        .at("/spec/template/spec/containers/0/args")
                        .toString()
                        .contains("--no-leader-labels"))
                .isEqualTo(!labels);
    }

    @Test
    void the_network_policy_admits_connections_to_the_port_of_the_webhook_only() {
        var objects = Chart.render();
        var spec = Chart.the(objects, "NetworkPolicy", "elector-injector").path("spec");
        assertThat(spec).isEqualTo(Yamls.parse("""
                        podSelector:
                          matchLabels: {app.kubernetes.io/name: elector-injector, app.kubernetes.io/instance: doyen}
                        policyTypes: [Ingress]
                        ingress:
                        - ports: [{port: https, protocol: TCP}]
                        """).get(0));
        assertThat(Chart.the(objects, "Deployment", "elector-injector").at("/spec/template/spec/containers/0/ports"))
                .isEqualTo(Yamls.parse("[{name: https, containerPort: 8443, protocol: TCP}]")
                        .get(0));
        assertThat(kinds(Chart.render("injector.networkPolicy.enabled=false")))
                .doesNotContain("NetworkPolicy elector-injector");
    }

    @Test
    void the_network_policy_admits_only_the_given_addresses() {
        var policy = Chart.the(
                Chart.render(
                        "injector.networkPolicy.apiServerCidrs[0]=10.0.0.0/28",
                        "injector.networkPolicy.apiServerCidrs[1]=fd00::/64"),
                "NetworkPolicy",
                "elector-injector");
        assertThat(policy.at("/spec/ingress")).isEqualTo(Yamls.parse("""
                        - ports: [{port: https, protocol: TCP}]
                          from:
                          - ipBlock: {cidr: 10.0.0.0/28}
                          - ipBlock: {cidr: "fd00::/64"}
                        """).get(0));
    }

    /** Kubernetes lets naiserator bind the role only because naiserator itself has all rights of the role. */
    @Test
    void the_role_has_no_more_rights_than_naiserator() throws Exception {
        for (var objects : List.of(Chart.render(), Chart.renderFile(Chart.CI.resolve("nais-values.yaml")))) {
            for (var rule : Chart.the(objects, "ClusterRole", "elector").path("rules")) {
                for (var resource : rule.path("resources")) {
                    assertThat(resource.asText()).isIn("leases", "pods", "events", "secrets");
                }
            }
        }
    }

    @Test
    void on_nais_the_chart_replaces_the_elector_chart() throws Exception {
        var objects = Chart.renderFile(Chart.CI.resolve("nais-values.yaml"));
        assertThat(kinds(objects)).containsExactlyInAnyOrder("ClusterRole elector", "ConfigMap elector");
        var map = Chart.the(objects, "ConfigMap", "elector");
        assertThat(map.at("/data/elector_image").asText()).isEqualTo("doyen-elector:0.1.0-SNAPSHOT");
        assertThat(map.at("/metadata/annotations")
                        .path("reloader.stakater.com/match")
                        .asText())
                .isEqualTo("true");
        // Electors of NAIS still run while the new electors start. So the electors of NAIS must not lose their rights.
        assertThat(Chart.the(objects, "ClusterRole", "elector").path("rules"))
                .isEqualTo(Yamls.parse("""
                        - {apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get, list, watch, create, update]}
                        - {apiGroups: [""], resources: [pods], verbs: [get, list, watch]}
                        """).get(0));
    }

    @Test
    void with_cert_manager_the_injector_neither_creates_certificates_nor_has_the_right() throws Exception {
        var objects = Chart.renderFile(Chart.CI.resolve("cert-manager-values.yaml"));
        assertThat(kinds(objects))
                .contains("Certificate elector-injector", "Issuer elector-injector", "NetworkPolicy elector-injector")
                .contains("Role elector-injector", "RoleBinding elector-injector");
        assertThat(Chart.the(objects, "Role", "elector-injector").toString())
                .contains("leases")
                .doesNotContain("secrets");
        var container = Chart.the(objects, "Deployment", "elector-injector").at("/spec/template/spec/containers/0");
        assertThat(container.path("args").toString())
                .contains("--certificate-file=/certificate/tls.crt")
                .doesNotContain("--certificate-secret");
        assertThat(Chart.the(objects, "MutatingWebhookConfiguration", "elector-injector")
                        .at("/metadata/annotations")
                        .path("cert-manager.io/inject-ca-from")
                        .asText())
                .isEqualTo("doyen-system/elector-injector");
        assertThat(Chart.the(objects, "ClusterRole", "elector-injector").toString())
                .doesNotContain("mutatingwebhookconfigurations");
    }

    @Test
    void the_test_pod_gets_an_elector_from_the_webhook() throws Exception {
        var pod = Chart.renderTest(Chart.TODAY, copy).get(0);
        assertThat(pod.at("/metadata/annotations").path("a-hook").asText()).isEqualTo("test");
        var webhook = Chart.the(Chart.render(), "MutatingWebhookConfiguration", "elector-injector");
        var unseen = webhook.at("/webhooks/0/namespaceSelector/matchExpressions/0/values");
        assertThat(unseen.toString())
                .doesNotContain(pod.at("/metadata/namespace").asText());

        var injected = new Injection(new InjectionSettings("doyen-elector:1", SidecarKind.NATIVE))
                .inject(pod, "default", Revision.NONE);

        assertThat(injected.at("/spec/initContainers/0/args/0").asText()).isEqualTo("--election=elector-test");
        assertThat(injected.at("/spec/containers/0/env").findValuesAsText("name"))
                .contains("ELECTOR_GET_URL");
    }

    @ParameterizedTest
    @CsvSource({
        "1.36.0, injector.enabled=false",
        "1.36.0, injector.sidecar=plain",
        "1.36.0, tests.enabled=false",
        "1.28.0, nais.enabled=false"
    })
    void the_test_is_absent_where_it_cannot_pass(String kubernetes, String value) throws Exception {
        assertThat(Chart.renderTest(kubernetes, copy, value)).isEmpty();
    }

    /**
     * Tests the script of {@code helm test} with the shell and the wget of this machine.
     *
     * <p>A minimal elector answers the requests of the script.
     */
    @ParameterizedTest
    @CsvSource({"me, 0", "another, 1"})
    void the_test_passes_once_the_elector_names_its_pod(String leader, int code) throws Exception {
        if (!installed("wget")) {
            var why = "the script of the chart's test: wget is not installed";
            System.out.println("SKIPPED: " + why);
            Assumptions.abort(why);
        }
        var script = Chart.renderTest(Chart.TODAY, copy)
                .get(0)
                .at("/spec/containers/0/args/0")
                .asText()
                .replace("sleep 1", ":");
        var answers = new ArrayDeque<>(List.of("", "", leader));
        var elector = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        elector.createContext("/", exchange -> {
            var name = answers.size() > 1 ? answers.remove() : answers.element();
            var body = ("{\"name\":\"" + name + "\",\"last_update\":\"2026-11-21T09:01:22Z\"}")
                    .getBytes(StandardCharsets.US_ASCII);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        elector.start();
        try {
            var shell = new ProcessBuilder("sh", "-c", script).redirectErrorStream(true);
            shell.environment().put("POD_NAME", "me");
            shell.environment()
                    .put(
                            "ELECTOR_GET_URL",
                            "http://localhost:" + elector.getAddress().getPort() + "/");
            var process = shell.start();
            var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor()).as(output).isEqualTo(code);
        } finally {
            elector.stop(0);
        }
    }

    private static boolean installed(String program) {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":", -1))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    @ParameterizedTest
    @CsvSource({
        "injector.replicas=0, replicas",
        "injector.sidecar=both, sidecar",
        "injector.leaderLabels=some, leaderLabels",
        "injector.certificateLife=forever, certificateLife",
        "injector.networkPolicy.apiServerCidrs[0]=10.0.0.1, apiServerCidrs",
        "nais.enable=true, enable",
        "podMonitor.interval=often, interval",
        "podMonitor.selector=a, selector",
        "prometheusRule.rules=a, rules",
        "dashboard.enabled=some, enabled",
        "tests.namespace=Default, namespace",
        "tests.image=, image",
        "fullnameOverride=Elector, fullnameOverride"
    })
    void invalid_values_of_the_chart_are_rejected(String value, String named) {
        assertThatThrownBy(() -> Chart.render(value)).hasMessageContaining(named);
    }

    private static List<String> kinds(List<JsonNode> objects) {
        return objects.stream()
                .map(each -> each.path("kind").asText() + " "
                        + each.at("/metadata/name").asText())
                .toList();
    }
}
