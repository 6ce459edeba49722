package dev.doyen.injector.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.injector.Injection;
import dev.doyen.injector.InjectionSettings;
import dev.doyen.injector.Revision;
import dev.doyen.injector.SidecarKind;
import dev.doyen.injector.Yamls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the objects of the chart for the Prometheus Operator and for Grafana. */
class MonitoringChartTest {

    private static final Path MONITORING = Path.of("../../kubernetes/monitoring");
    private static final String IP = "10.1.2.3";

    /** A pod as naiserator makes it: without the label and the annotations of the injector. */
    private static final String PLATFORM_POD = """
            metadata:
              labels: {app: orders, team: shop}
            spec:
              initContainers:
              - name: elector
                args: [--election=orders, --election-namespace=shop, "--http=localhost:4040",
                       "--probe-address=0.0.0.0:4041"]
                ports: [{containerPort: 4040, protocol: TCP}]
                restartPolicy: Always
              containers:
              - {name: orders, ports: [{containerPort: 8080, name: http}]}
            """;

    /** A pod before the injection. The argument is further annotations. */
    private static final String LABELLED_POD = """
            metadata:
              labels: {app: orders, elector.doyen.dev/inject: "true"}
              annotations: {elector.doyen.dev/election: orders%s}
            spec:
              containers:
              - {name: app, ports: [{containerPort: 8080}]}
            """;

    private static final String OTHER_POD = """
            metadata: {labels: {app: orders, elector.doyen.dev/inject: "false"}}
            spec: {containers: [{name: app, ports: [{containerPort: 4040}]}]}
            """;

    @ParameterizedTest
    @CsvSource({"PLAIN, ", "NATIVE, ", "PLAIN, 14041", "NATIVE, 14041"})
    void the_pod_monitor_selects_the_pods_of_the_injector(SidecarKind kind, @Nullable String probePort)
            throws Exception {
        String option = probePort == null ? "" : ", elector.doyen.dev/probe-port: \"" + probePort + "\"";
        var pod = Yamls.parse(LABELLED_POD.formatted(option)).get(0);
        var injected = new Injection(new InjectionSettings("doyen-elector:1", kind)).inject(pod, "shop", Revision.NONE);
        var objects = Chart.render("podMonitor.enabled=true", "nais.enabled=true");

        String port = probePort == null ? "4041" : probePort;
        assertThat(scraped(Chart.the(objects, "PodMonitor", "elector"), injected))
                .containsExactly(IP + ":" + port);
        assertThat(scraped(Chart.the(objects, "PodMonitor", "elector-nais"), injected))
                .as("no pod is scraped twice")
                .isEmpty();
    }

    @Test
    void on_nais_the_pod_monitor_selects_the_pods_of_naiserator() {
        var pod = Yamls.parse(PLATFORM_POD).get(0);
        var objects = Chart.render("podMonitor.enabled=true", "nais.enabled=true", "injector.enabled=false");

        assertThat(scraped(Chart.the(objects, "PodMonitor", "elector-nais"), pod))
                .containsExactly(IP + ":4041");
        assertThat(names(objects, "PodMonitor")).containsExactly("elector-nais");
        assertThat(names(Chart.render("podMonitor.enabled=true"), "PodMonitor")).containsExactly("elector");
    }

    @ParameterizedTest
    @ValueSource(strings = {"elector", "elector-nais"})
    void a_pod_without_an_elector_is_not_scraped(String monitor) {
        var pod = Yamls.parse(OTHER_POD).get(0);
        var objects = Chart.render("podMonitor.enabled=true", "nais.enabled=true");

        assertThat(scraped(Chart.the(objects, "PodMonitor", monitor), pod)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.2.3, , 10.1.2.3:4041",
        "10.1.2.3, 14041, 10.1.2.3:14041",
        "fd00::7, , [fd00::7]:4041",
        "fd00::7, 14041, [fd00::7]:14041"
    })
    void the_pod_monitor_scrapes_the_probe_port_of_the_elector(String ip, @Nullable String chosen, String address) {
        var endpoint = Chart.the(Chart.render("podMonitor.enabled=true"), "PodMonitor", "elector")
                .at("/spec/podMetricsEndpoints/0");
        var labels = new HashMap<>(Map.of(
                "__meta_kubernetes_pod_container_name",
                "elector",
                "__meta_kubernetes_pod_ip",
                ip,
                "__meta_kubernetes_pod_annotation_elector_doyen_dev_election",
                "orders",
                "__address__",
                ip + ":4040"));
        if (chosen != null) {
            labels.put("__meta_kubernetes_pod_annotation_elector_doyen_dev_probe_port", chosen);
        }
        assertThat(endpoint.path("path").asText()).isEqualTo("/metrics");
        assertThat(relabelled(endpoint.path("relabelings"), labels)).isTrue();
        assertThat(labels)
                .containsEntry("__address__", address)
                .as("the metrics have this label, and a label of the target would rename it")
                .doesNotContainKey("election");
    }

    @Test
    void the_pod_monitors_have_the_given_labels_and_namespaces() {
        var objects = Chart.render(
                "nais.enabled=true",
                "podMonitor.enabled=true",
                "podMonitor.labels.release=prometheus",
                "podMonitor.namespaces[0]=shop",
                "podMonitor.interval=15s");
        for (var name : List.of("elector", "elector-nais")) {
            var monitor = Chart.the(objects, "PodMonitor", name);
            assertThat(monitor.at("/metadata/labels/release").asText()).isEqualTo("prometheus");
            assertThat(monitor.at("/spec/namespaceSelector")).hasToString("{\"matchNames\":[\"shop\"]}");
            assertThat(monitor.at("/spec/podMetricsEndpoints/0/interval").asText())
                    .isEqualTo("15s");
        }
    }

    @Test
    void the_rule_contains_all_alerts_without_change() throws Exception {
        var rule = Chart.the(
                Chart.render("prometheusRule.enabled=true", "prometheusRule.labels.release=prometheus"),
                "PrometheusRule",
                "elector");
        assertThat(rule.path("spec"))
                .isEqualTo(Yamls.read(MONITORING.resolve("alerts.yaml")).get(0));
        assertThat(rule.at("/metadata/labels/release").asText()).isEqualTo("prometheus");
    }

    @Test
    void the_config_map_contains_the_dashboard_without_change() throws Exception {
        var map = Chart.the(Chart.render("dashboard.enabled=true"), "ConfigMap", "elector-dashboard");
        assertThat(map.at("/metadata/labels/grafana_dashboard").asText()).isEqualTo("1");
        assertThat(map.path("data").path("doyen-elections.json").asText().strip())
                .isEqualTo(Files.readString(MONITORING.resolve("grafana-dashboard.json"))
                        .strip());
    }

    @Test
    void a_pod_monitor_that_would_select_no_pod_is_rejected_with_a_remedy() {
        assertThatThrownBy(() -> Chart.render("podMonitor.enabled=true", "injector.enabled=false"))
                .hasMessageContaining("no PodMonitor would select a pod; enable one of them, or set podMonitor");
    }

    @Test
    void by_default_the_chart_has_no_objects_of_the_operator() {
        var objects = Chart.render("nais.enabled=true");
        assertThat(names(objects, "PodMonitor")).isEmpty();
        assertThat(names(objects, "PrometheusRule")).isEmpty();
        assertThat(names(objects, "ConfigMap")).containsExactly("elector");
    }

    private static List<String> names(List<JsonNode> objects, String kind) {
        return objects.stream()
                .filter(each -> each.path("kind").asText().equals(kind))
                .map(each -> each.at("/metadata/name").asText())
                .toList();
    }

    /** Returns the addresses that Prometheus scrapes in this pod. Each declared port of a container is one target. */
    private static List<String> scraped(JsonNode monitor, JsonNode pod) {
        if (!selects(monitor.at("/spec/selector"), pod.at("/metadata/labels"))) {
            return List.of();
        }
        var addresses = new TreeSet<String>();
        for (var containers : List.of(pod.at("/spec/containers"), pod.at("/spec/initContainers"))) {
            for (var container : containers) {
                for (var port : container.path("ports")) {
                    var labels = new HashMap<>(Map.of(
                            "__meta_kubernetes_pod_container_name",
                            container.path("name").asText(),
                            "__meta_kubernetes_pod_ip",
                            IP,
                            "__address__",
                            IP + ":" + port.path("containerPort").asText()));
                    pod.at("/metadata/annotations")
                            .properties()
                            .forEach(each -> labels.put(
                                    "__meta_kubernetes_pod_annotation_"
                                            + each.getKey().replaceAll("[^A-Za-z0-9_]", "_"),
                                    each.getValue().asText()));
                    if (relabelled(monitor.at("/spec/podMetricsEndpoints/0/relabelings"), labels)) {
                        addresses.add(labels.get("__address__"));
                    }
                }
            }
        }
        return List.copyOf(addresses);
    }

    /** Returns true if a selector of Kubernetes selects these labels. */
    private static boolean selects(JsonNode selector, JsonNode labels) {
        for (var label : selector.path("matchLabels").properties()) {
            if (!labels.path(label.getKey()).equals(label.getValue())) {
                return false;
            }
        }
        for (var expression : selector.path("matchExpressions")) {
            boolean exists = labels.has(expression.path("key").asText());
            if (exists != expression.path("operator").asText().equals("Exists")) {
                return false;
            }
        }
        return true;
    }

    /** Applies the rules to the labels, in the same way as Prometheus. Returns false if a rule drops the target. */
    private static boolean relabelled(JsonNode rules, Map<String, String> labels) {
        for (var rule : rules) {
            var values = new ArrayList<String>();
            rule.path("sourceLabels").forEach(label -> values.add(labels.getOrDefault(label.asText(), "")));
            var matcher = Pattern.compile(rule.path("regex").asText("(.*)"))
                    .matcher(String.join(rule.path("separator").asText(";"), values));
            boolean matches = matcher.matches();
            if (rule.path("action").asText("replace").equals("keep")) {
                if (!matches) {
                    return false;
                }
            } else if (matches) {
                labels.put(
                        rule.path("targetLabel").asText(),
                        matcher.replaceFirst(rule.path("replacement").asText("$1")));
            }
        }
        return true;
    }
}
