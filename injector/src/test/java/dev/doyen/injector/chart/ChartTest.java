package dev.doyen.injector.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.marcnuri.helm.Helm;
import dev.doyen.injector.Yamls;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The chart, by Helm itself: what it makes, and what it refuses. */
class ChartTest {

    @Test
    void helm_finds_no_fault() {
        var result = new Helm(Chart.FOLDER).lint().strict().call();
        assertThat(result.isFailed()).as(result.getMessages().toString()).isFalse();
    }

    @Test
    void by_default_there_are_a_webhook_and_its_controller() {
        assertThat(kinds(Chart.render()))
                .containsExactlyInAnyOrder(
                        "ClusterRole elector",
                        "ClusterRole elector-injector",
                        "ClusterRoleBinding elector-injector",
                        "Deployment elector-injector",
                        "MutatingWebhookConfiguration elector-injector",
                        "PodDisruptionBudget elector-injector",
                        "Role elector-injector",
                        "RoleBinding elector-injector",
                        "Service elector-injector",
                        "ServiceAccount elector-injector");
    }

    @Test
    void the_webhook_fails_closed_and_sees_only_pods_that_ask() {
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
                        objectSelector: {matchLabels: {elector.doyen.dev/inject: "true"}}
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

    /** What naiserator holds itself, and so may bind: see the chart's own comment. */
    @Test
    void the_role_stays_below_what_naiserator_may_give() throws Exception {
        for (var objects : List.of(Chart.render(), Chart.renderFile(Chart.CI.resolve("nais-values.yaml")))) {
            for (var rule : Chart.the(objects, "ClusterRole", "elector").path("rules")) {
                for (var resource : rule.path("resources")) {
                    assertThat(resource.asText()).isIn("leases", "pods", "events", "secrets");
                }
            }
        }
    }

    @Test
    void on_nais_it_takes_the_place_of_the_elector_chart() throws Exception {
        var objects = Chart.renderFile(Chart.CI.resolve("nais-values.yaml"));
        assertThat(kinds(objects)).containsExactlyInAnyOrder("ClusterRole elector", "ConfigMap elector");
        var map = Chart.the(objects, "ConfigMap", "elector");
        assertThat(map.at("/data/elector_image").asText()).isEqualTo("doyen-elector:0.1.0-SNAPSHOT");
        assertThat(map.at("/metadata/annotations")
                        .path("reloader.stakater.com/match")
                        .asText())
                .isEqualTo("true");
        // Electors of NAIS still run while their successors start: what they had stays theirs.
        assertThat(Chart.the(objects, "ClusterRole", "elector").path("rules"))
                .isEqualTo(Yamls.parse("""
                        - {apiGroups: [coordination.k8s.io], resources: [leases], verbs: [get, list, watch, create, update]}
                        - {apiGroups: [""], resources: [pods], verbs: [get, list, watch]}
                        """).get(0));
    }

    @Test
    void with_cert_manager_the_injector_makes_no_certificates_and_may_not() throws Exception {
        var objects = Chart.renderFile(Chart.CI.resolve("cert-manager-values.yaml"));
        assertThat(kinds(objects))
                .contains("Certificate elector-injector", "Issuer elector-injector", "NetworkPolicy elector-injector")
                .doesNotContain("Role elector-injector", "RoleBinding elector-injector");
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

    @ParameterizedTest
    @CsvSource({
        "injector.replicas=0, replicas",
        "injector.sidecar=both, sidecar",
        "injector.certificateLife=forever, certificateLife",
        "nais.enable=true, enable",
        "fullnameOverride=Elector, fullnameOverride"
    })
    void values_that_cannot_be_are_refused(String value, String named) {
        assertThatThrownBy(() -> Chart.render(value)).hasMessageContaining(named);
    }

    private static List<String> kinds(List<JsonNode> objects) {
        return objects.stream()
                .map(each -> each.path("kind").asText() + " "
                        + each.at("/metadata/name").asText())
                .toList();
    }
}
