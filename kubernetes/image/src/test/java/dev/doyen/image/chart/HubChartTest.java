package dev.doyen.image.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import com.marcnuri.helm.Helm;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the objects of the chart, which Helm renders, and the values that the chart rejects. */
class HubChartTest {

    private static final String CONTAINER = "/containers/0";

    @Test
    void helm_lint_reports_no_fault() {
        var result = new Helm(HubChart.FOLDER).lint().strict().call();
        assertThat(result.isFailed()).as(result.getMessages().toString()).isFalse();
    }

    @Test
    void one_node_is_a_stateful_set_with_a_volume() throws Exception {
        var objects = HubChart.render(HubChart.ONE_NODE);
        assertThat(kinds(objects))
                .containsExactlyInAnyOrder(
                        "ConfigMap hub", "NetworkPolicy hub", "Service hub", "Service hub-elector", "StatefulSet hub");
        var workload = HubChart.workload(objects);
        assertThat(workload.at("/spec/volumeClaimTemplates/0/spec"))
                .isEqualTo(yaml("{accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}"));
        assertThat(HubChart.pod(objects).at(CONTAINER + "/args")).isEqualTo(yaml("""
                        [--bind=0.0.0.0, --port=8000, --elector-port=4040, --probe-port=4041, --data=/data,
                         --settings=/settings/hub.yaml, --election=main, --claim-ttl=5s, --drain=5s]
                        """));
    }

    @Test
    void several_nodes_are_a_deployment_whose_pods_all_end_before_an_update() throws Exception {
        var objects = HubChart.render(HubChart.NODES);
        assertThat(kinds(objects))
                .containsExactlyInAnyOrder(
                        "ConfigMap hub",
                        "Deployment hub",
                        "Ingress hub",
                        "NetworkPolicy hub",
                        "PodDisruptionBudget hub",
                        "Service hub",
                        "Service hub-elector");
        var spec = HubChart.workload(objects).path("spec");
        assertThat(spec.path("strategy")).isEqualTo(yaml("{type: Recreate}"));
        assertThat(spec.path("replicas").asInt()).isEqualTo(3);
        assertThat(HubChart.pod(objects).at("/volumes").findValues("emptyDir")).hasSize(1);
        assertThat(HubChart.pod(objects).at(CONTAINER + "/args").toString())
                .contains("\"--store=jdbc:postgresql://postgres/app?user=hub&password=$(STORE_PASSWORD)\"")
                .contains("--tls-cert=/tls/tls.crt", "--tls-key=/tls/tls.key");
        assertThat(HubChart.the(objects, "PodDisruptionBudget", "hub").at("/spec/maxUnavailable"))
                .isEqualTo(yaml("1"));
    }

    /** Helm parses numbers as floating-point numbers. The hub rejects a number such as 1.34217728e+08. */
    @Test
    void the_settings_file_equals_the_value_settings() throws Exception {
        var values = HubChart.parse(Files.readString(HubChart.NODES)).get(0);
        assertThat(yaml(HubChart.settings(HubChart.render(HubChart.NODES)))).isEqualTo(values.path("settings"));
    }

    @Test
    void other_settings_replace_the_pods() throws Exception {
        var annotation = "/spec/template/metadata/annotations";
        var before = HubChart.workload(HubChart.render(HubChart.ONE_NODE)).at(annotation);
        assertThat(HubChart.workload(HubChart.render(HubChart.ONE_NODE, "settings.limits.connections=7"))
                        .at(annotation))
                .isNotEqualTo(before);
        assertThat(HubChart.workload(HubChart.render(HubChart.ONE_NODE, "service.port=80"))
                        .at(annotation))
                .isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({"0, 30", "5, 35", "600, 630"})
    void a_pod_has_more_time_to_end_than_the_drain_takes(String drain, int grace) throws Exception {
        var pod = HubChart.pod(HubChart.render(HubChart.ONE_NODE, "drainSeconds=" + drain));
        assertThat(pod.path("terminationGracePeriodSeconds").asInt()).isEqualTo(grace);
        assertThat(pod.at(CONTAINER + "/args").toString()).contains("\"--drain=" + drain + "s\"");
    }

    @Test
    void the_network_policy_opens_only_the_port_of_the_hub_to_everybody() throws Exception {
        var objects = HubChart.render(HubChart.ONE_NODE);
        assertThat(HubChart.the(objects, "NetworkPolicy", "hub").path("spec")).isEqualTo(yaml("""
                        podSelector:
                          matchLabels: {app.kubernetes.io/name: doyen-hub, app.kubernetes.io/instance: hub}
                        policyTypes: [Ingress]
                        ingress:
                        - ports: [{port: hub, protocol: TCP}]
                        - ports: [{port: elector, protocol: TCP}, {port: probes, protocol: TCP}]
                          from: [{podSelector: {}}]
                        """));
        var limited = HubChart.render(
                HubChart.ONE_NODE,
                "networkPolicy.hubFrom[0].ipBlock.cidr=10.0.0.0/8",
                "networkPolicy.electorFrom=null");
        assertThat(HubChart.the(limited, "NetworkPolicy", "hub").at("/spec/ingress"))
                .isEqualTo(yaml("[{ports: [{port: hub, protocol: TCP}], from: [{ipBlock: {cidr: 10.0.0.0/8}}]}]"));
        assertThat(kinds(HubChart.render(HubChart.ONE_NODE, "networkPolicy.enabled=false")))
                .doesNotContain("NetworkPolicy hub");
    }

    @Test
    void neither_a_load_balancer_nor_the_ingress_serves_the_elector_api() throws Exception {
        var objects = HubChart.render(HubChart.NODES, "service.type=LoadBalancer", "service.port=443");
        assertThat(HubChart.the(objects, "Service", "hub").at("/spec/ports"))
                .isEqualTo(yaml("[{name: hub, port: 443, targetPort: hub, protocol: TCP}]"));
        assertThat(HubChart.the(objects, "Service", "hub-elector").path("spec").has("type"))
                .isFalse();
        assertThat(HubChart.the(objects, "Ingress", "hub").path("spec")).isEqualTo(yaml("""
                        ingressClassName: nginx
                        rules:
                        - host: hub.example
                          http:
                            paths:
                            - {path: /, pathType: Prefix, backend: {service: {name: hub, port: {name: hub}}}}
                        tls: [{hosts: [hub.example], secretName: hub-tls}]
                        """));
    }

    @Test
    void all_pods_satisfy_the_restricted_profile_and_have_no_token() throws Exception {
        for (var values : List.of(HubChart.ONE_NODE, HubChart.NODES)) {
            var pod = HubChart.pod(HubChart.render(values));
            assertThat(RestrictedProfile.violations(pod)).isEmpty();
            assertThat(pod.path("automountServiceAccountToken").asBoolean(true)).isFalse();
            assertThat(pod.at(CONTAINER + "/securityContext/readOnlyRootFilesystem")
                            .asBoolean())
                    .isTrue();
        }
    }

    static Stream<Arguments> violations() {
        return Stream.of(
                violation("hostNetwork", pod -> pod.put("hostNetwork", true)),
                violation(
                        "volumes.hostPath",
                        pod -> ((ArrayNode) pod.path("volumes"))
                                .addObject()
                                .put("name", "host")
                                .putObject("hostPath")),
                violation(
                        "runAsNonRoot",
                        pod -> pod.withObject("/securityContext").remove("runAsNonRoot")),
                violation("runAsUser", pod -> pod.withObject("/securityContext").put("runAsUser", 0)),
                violation(
                        "seccompProfile.type",
                        pod -> pod.withObject("/securityContext").remove("seccompProfile")),
                violation(
                        "allowPrivilegeEscalation",
                        pod -> pod.withObject(CONTAINER + "/securityContext").remove("allowPrivilegeEscalation")),
                violation(
                        "capabilities.drop",
                        pod -> pod.withObject(CONTAINER + "/securityContext").remove("capabilities")));
    }

    private static Arguments violation(String field, Consumer<ObjectNode> change) {
        return Arguments.of(field, change);
    }

    @ParameterizedTest
    @MethodSource("violations")
    void a_pod_that_violates_the_restricted_profile_is_detected(String field, Consumer<ObjectNode> change)
            throws Exception {
        ObjectNode pod = HubChart.pod(HubChart.render(HubChart.NODES)).deepCopy();
        change.accept(pod);
        assertThat(RestrictedProfile.violations(pod)).containsExactly(field);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "secretName= | secretName is empty; create a Secret with the entry DOYEN_KEY",
                "replicas=2 | replicas is 2, and several nodes need Redis; set settings.nodes.redis",
                "settings.nodes.redis=redis://redis | store is empty, and the nodes of settings.nodes need a store",
                "settings.keys[0].key=shop.pages:a-secret | a key in settings.keys contains its secret",
                "store=redis://:secret@redis | store contains a password",
                "store=jdbc:postgresql://postgres/app?user=hub&password=secret | store contains a password",
                "ingress.enabled=true | ingress.host is empty"
            })
    void contradictions_and_secrets_are_rejected_with_a_sentence(String value, String sentence) {
        assertThatThrownBy(() -> HubChart.render(HubChart.ONE_NODE, value)).hasMessageContaining(sentence);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "store=file:/data/claims | store is file:/data/claims, which nodes cannot share",
                "store=memory: | store is memory:, which nodes cannot share",
                "settings.nodes.redis=redis://:secret@redis | settings.nodes.redis contains a password"
            })
    void values_that_nodes_cannot_use_are_rejected_with_a_sentence(String value, String sentence) {
        assertThatThrownBy(() -> HubChart.render(HubChart.NODES, value)).hasMessageContaining(sentence);
    }

    @ParameterizedTest
    @CsvSource({
        "store=jdbc:postgresql://postgres:5432/app?user=me@x, jdbc:postgresql://postgres:5432/app?user=me@x",
        "store=redis://hub:$(PASSWORD)@redis:6379, redis://hub:$(PASSWORD)@redis:6379",
        "store=$(STORE_URL), $(STORE_URL)"
    })
    void a_store_without_a_password_is_passed_on(String value, String store) throws Exception {
        assertThat(HubChart.pod(HubChart.render(HubChart.ONE_NODE, value))
                        .at(CONTAINER + "/args")
                        .toString())
                .contains("\"--store=" + store + "\"");
    }

    @Test
    void the_pod_monitor_selects_the_pods_and_the_port_of_their_probes() throws Exception {
        var objects =
                HubChart.render(HubChart.ONE_NODE, "podMonitor.enabled=true", "podMonitor.labels.release=prometheus");
        var monitor = HubChart.the(objects, "PodMonitor", "hub");
        var labels = HubChart.workload(objects).at("/spec/template/metadata/labels");
        var selected = monitor.at("/spec/selector/matchLabels");
        assertThat(selected.isEmpty()).isFalse();
        selected.properties()
                .forEach(label -> assertThat(labels.path(label.getKey())).isEqualTo(label.getValue()));
        assertThat(monitor.at("/spec/podMetricsEndpoints"))
                .isEqualTo(yaml("[{port: probes, path: /metrics, interval: 10s}]"));
        assertThat(HubChart.pod(objects).at(CONTAINER + "/ports").findValuesAsText("name"))
                .contains("probes");
        assertThat(monitor.at("/metadata/labels/release").asText()).isEqualTo("prometheus");
    }

    @Test
    void the_rule_and_the_dashboard_are_those_of_the_monitoring_folder() throws Exception {
        var objects = HubChart.render(HubChart.ONE_NODE, "prometheusRule.enabled=true", "dashboard.enabled=true");
        var monitoring = HubChart.FOLDER.resolve("../../monitoring");
        assertThat(HubChart.the(objects, "PrometheusRule", "hub").path("spec"))
                .isEqualTo(yaml(Files.readString(monitoring.resolve("alerts.yaml"))));
        var map = HubChart.the(objects, "ConfigMap", "hub-dashboard");
        assertThat(map.path("data").path("doyen-elections.json").asText().strip())
                .isEqualTo(Files.readString(monitoring.resolve("grafana-dashboard.json"))
                        .strip());
        assertThat(map.at("/metadata/labels/grafana_dashboard").asText()).isEqualTo("1");
    }

    @ParameterizedTest
    @CsvSource({
        "podMonitor.interval=often, interval",
        "prometheusRule.rules=a, rules",
        "replicas=0, replicas",
        "drainSeconds=601, drainSeconds",
        "claimTtl=long, claimTtl",
        "data.size=much, size",
        "service.type=ExternalName, type",
        "settings.nodes.name=shop, redis",
        "store=postgres, store",
        "key=shop.server:secret, key",
        "fullnameOverride=Hub, fullnameOverride"
    })
    void invalid_values_of_the_chart_are_rejected(String value, String named) {
        assertThatThrownBy(() -> HubChart.render(HubChart.ONE_NODE, value)).hasMessageContaining(named);
    }

    @Test
    void the_readme_lists_all_values() throws Exception {
        var listed = Pattern.compile("^\\| `([^`]+)` \\|", Pattern.MULTILINE)
                .matcher(Files.readString(HubChart.FOLDER.resolve("README.md")))
                .results()
                .map((MatchResult each) -> each.group(1))
                .toList();
        var values = HubChart.parse(Files.readString(HubChart.FOLDER.resolve("values.yaml")))
                .get(0);
        assertThat(listed).containsExactlyElementsOf(paths(values));
    }

    @Test
    void the_guide_shows_the_values_of_several_nodes() throws Exception {
        assertThat(Files.readString(Path.of("../../docs/guide/hub-on-kubernetes.md")))
                .contains("```yaml\n" + Files.readString(HubChart.NODES) + "```");
    }

    /**
     * Returns the path of each value, such as {@code tls.secretName}. The value {@code resources} is not divided,
     * because Kubernetes defines its fields.
     */
    private static List<String> paths(JsonNode values) {
        List<String> paths = new ArrayList<>();
        values.properties().forEach(each -> {
            boolean isGroup = each.getValue().isObject()
                    && !each.getValue().isEmpty()
                    && !each.getKey().equals("resources");
            if (isGroup) {
                each.getValue().fieldNames().forEachRemaining(name -> paths.add(each.getKey() + "." + name));
            } else {
                paths.add(each.getKey());
            }
        });
        return paths;
    }

    private static JsonNode yaml(String text) throws Exception {
        return new YAMLMapper().readTree(text);
    }

    private static List<String> kinds(List<JsonNode> objects) {
        return objects.stream()
                .map(each -> each.path("kind").asText() + " "
                        + each.at("/metadata/name").asText())
                .toList();
    }
}
