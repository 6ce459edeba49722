package dev.doyen.injector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests which variables and warnings an injected pod gets from the probes, the ports and the annotations of a pod. */
class AppObservationTest {

    private static final String LIVEZ = "livenessProbe: {httpGet: {path: /livez, port: 8080}}";
    private static final String READYZ = "readinessProbe: {httpGet: {path: /readyz, port: 8080}}";

    private final ObjectNode pod = (ObjectNode) Yamls.parse("""
            metadata:
              labels: {elector.doyen.dev/inject: "true"}
              annotations: {elector.doyen.dev/election: orders}
            spec:
              containers: []
            """).get(0);

    @Test
    void the_liveness_probe_is_preferred_to_the_readiness_probe() throws Exception {
        container(READYZ, LIVEZ);
        assertThat(variables(SidecarKind.NATIVE))
                .containsExactly(
                        entry("ELECTOR_HEALTH_HTTP", "http://localhost:8080/livez"),
                        entry("ELECTOR_HEALTH_EVERY", "10s"),
                        entry("ELECTOR_HEALTH_TIMEOUT", "1s"),
                        entry("ELECTOR_FALL", "3"),
                        entry("ELECTOR_RISE", "1"),
                        entry("ELECTOR_IF_NONE_HEALTHY", "lead_anyway"));
        assertThat(warnings()).isEmpty();

        annotate("health", "readiness");
        assertThat(variables(SidecarKind.NATIVE)).containsEntry("ELECTOR_HEALTH_HTTP", "http://localhost:8080/readyz");
        annotate("health", "none");
        assertThat(variables(SidecarKind.NATIVE)).isEmpty();
        assertThat(warnings()).isEmpty();
    }

    @Test
    void the_readiness_probe_is_used_without_a_liveness_probe() throws Exception {
        container(READYZ);
        assertThat(variables(SidecarKind.NATIVE)).containsEntry("ELECTOR_HEALTH_HTTP", "http://localhost:8080/readyz");
        assertThat(warnings()).isEmpty();
    }

    @Test
    void a_pod_without_probes_has_no_health_check() throws Exception {
        container("image: orders");
        assertThat(variables(SidecarKind.NATIVE)).isEmpty();
        assertThat(warnings()).isEmpty();
    }

    @Test
    void the_probe_of_the_default_container_is_used() throws Exception {
        container("readinessProbe: {tcpSocket: {port: 1}}");
        containerNamed("second", "readinessProbe: {tcpSocket: {port: 2}}");
        assertThat(variables(SidecarKind.NATIVE)).containsEntry("ELECTOR_HEALTH_TCP", "localhost:1");
        pod.withObject("/metadata/annotations").put("kubectl.kubernetes.io/default-container", "second");
        assertThat(variables(SidecarKind.NATIVE)).containsEntry("ELECTOR_HEALTH_TCP", "localhost:2");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "httpGet: {port: 8080}                                        | HTTP | http://localhost:8080/",
                "httpGet: {port: web, path: livez}                            | HTTP | http://localhost:8443/livez",
                "httpGet: {port: '8080', path: '/a?b=c#d'}                    | TCP  | localhost:8080",
                "httpGet: {port: 8080, path: /%41, scheme: HTTPS}             | HTTP | https://localhost:8080/%41",
                "httpGet: {port: 8080, path: /%4}                             | TCP  | localhost:8080",
                "httpGet: {port: 8080, path: /a b}                            | TCP  | localhost:8080",
                "httpGet: {port: 8080, host: 10.1.2.3, path: /$(x)}           | HTTP | http://10.1.2.3:8080/$$(x)",
                "httpGet: {port: 8080, httpHeaders: [{name: A, value: b}]}    | TCP  | localhost:8080",
                "tcpSocket: {port: web}                                       | TCP  | localhost:8443",
                "tcpSocket: {port: 80, host: db.shop.svc}                     | TCP  | db.shop.svc:80",
                "grpc: {port: 8080}                                           | TCP  | localhost:8080",
            })
    void a_probe_becomes_a_check(String action, String setting, String value) throws Exception {
        container("ports: [{name: web, containerPort: 8443}]", "livenessProbe: {" + action + "}");
        assertThat(variables(SidecarKind.NATIVE)).containsEntry("ELECTOR_HEALTH_" + setting, value);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "httpGet: {port: 8080, httpHeaders: [{name: A, value: b}]} | sends httpHeaders",
                "httpGet: {port: 8080, path: '/{a}'}                       | has the path \"/{a}\", which is not valid in a URL",
                "grpc: {port: 8080, service: orders}                       | is a gRPC request",
            })
    void a_probe_that_becomes_a_weaker_check_gets_a_warning(String action, String obstacle) throws Exception {
        container("livenessProbe: {" + action + "}");
        assertThat(variables(SidecarKind.NATIVE)).containsEntry("ELECTOR_HEALTH_TCP", "localhost:8080");
        assertThat(warnings())
                .isEqualTo("the elector does not run the livenessProbe of container app, because the probe " + obstacle
                        + "; it only checks that port 8080 accepts connections, and can miss an app that hangs;"
                        + " annotation elector.doyen.dev/health-http sets another check");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "exec: {command: [check]}                | runs a command in that container",
                "httpGet: {port: web}                    | has the port \"web\", which the container does not declare",
                "tcpSocket: {port: 70000}                | has the port \"70000\", which the container does not declare",
                "tcpSocket: {port: 8080, host: 'fd00::1'} | has the host \"fd00::1\", which is not a host name or an IPv4 address",
                "quic: {port: 1}                         | has an unknown kind of check",
            })
    void a_probe_that_the_elector_cannot_run_gets_a_warning(String action, String obstacle) throws Exception {
        container("livenessProbe: {" + action + "}");
        var warning = "the elector ignores the livenessProbe of container app, because the probe " + obstacle
                + "; annotation elector.doyen.dev/health-http sets another check";
        assertThat(variables(SidecarKind.NATIVE)).isEmpty();
        assertThat(warnings()).isEqualTo(warning);

        pod.withArray("/spec/containers").removeAll();
        container(READYZ, "livenessProbe: {" + action + "}");
        assertThat(variables(SidecarKind.NATIVE)).containsEntry("ELECTOR_HEALTH_HTTP", "http://localhost:8080/readyz");
        assertThat(warnings()).isEqualTo(warning);

        annotate("health", "liveness");
        assertRefused(
                SidecarKind.NATIVE,
                "annotation elector.doyen.dev/health is \"liveness\", but the elector cannot run the livenessProbe of"
                        + " container app, because the probe " + obstacle + "; replace the annotation by"
                        + " elector.doyen.dev/health-http, such as http://localhost:8080/livez");
    }

    @Test
    void the_times_and_counts_of_the_probe_are_used_up_to_the_limits_of_the_elector() throws Exception {
        container("livenessProbe: {tcpSocket: {port: 8080}, periodSeconds: 2, timeoutSeconds: 5}");
        assertThat(variables(SidecarKind.NATIVE))
                .containsEntry("ELECTOR_HEALTH_EVERY", "5s")
                .containsEntry("ELECTOR_HEALTH_TIMEOUT", "5s");

        pod.withArray("/spec/containers").removeAll();
        container("livenessProbe: {tcpSocket: {port: 8080}, periodSeconds: 7200, failureThreshold: 200}");
        assertThat(variables(SidecarKind.NATIVE))
                .containsEntry("ELECTOR_HEALTH_EVERY", "3600s")
                .containsEntry("ELECTOR_FALL", "100");
        assertThat(warnings().lines())
                .containsExactly(
                        "the livenessProbe of container app has periodSeconds 7200; the elector uses its maximum, 3600",
                        "the livenessProbe of container app has failureThreshold 200; the elector uses its maximum, 100");
    }

    @Test
    void annotations_replace_the_values_of_the_probe() throws Exception {
        container("livenessProbe: {tcpSocket: {port: 8080}, timeoutSeconds: 5}");
        annotate("health-every", "2s");
        annotate("fall", "7");
        annotate("rise", "2");
        annotate("if-none-healthy", "no_leader");
        assertThat(variables(SidecarKind.NATIVE))
                .containsExactly(
                        entry("ELECTOR_HEALTH_TCP", "localhost:8080"),
                        entry("ELECTOR_HEALTH_EVERY", "2s"),
                        entry("ELECTOR_HEALTH_TIMEOUT", "2s"),
                        entry("ELECTOR_FALL", "7"),
                        entry("ELECTOR_RISE", "2"),
                        entry("ELECTOR_IF_NONE_HEALTHY", "no_leader"));

        annotate("health-timeout", "3s");
        assertRefused(
                SidecarKind.NATIVE,
                "annotation elector.doyen.dev/health-timeout is \"3s\", but the time between two checks is 2s; choose a"
                        + " shorter time, or a longer one in annotation elector.doyen.dev/health-every");
    }

    @ParameterizedTest
    @CsvSource({
        "health-http, https://localhost/a, HTTP",
        "health-tcp, db.shop.svc:5432, TCP",
        "health-exec, doyen leader orders, EXEC"
    })
    void a_check_in_an_annotation_replaces_the_probe_with_its_values(String option, String value, String variable)
            throws Exception {
        container(LIVEZ);
        annotate(option, value);
        assertThat(variables(SidecarKind.NATIVE))
                .containsExactly(
                        entry("ELECTOR_HEALTH_" + variable, value), entry("ELECTOR_IF_NONE_HEALTHY", "lead_anyway"));

        annotate("health", "none");
        assertRefused(
                SidecarKind.NATIVE,
                "annotations elector.doyen.dev/health and elector.doyen.dev/" + option
                        + " exclude each other; choose one");
    }

    @Test
    void two_checks_are_rejected() {
        container(LIVEZ);
        annotate("health-tcp", "localhost:8080");
        annotate("health-exec", "check");
        assertRefused(
                SidecarKind.NATIVE,
                "annotations elector.doyen.dev/health-tcp and elector.doyen.dev/health-exec exclude each other; choose"
                        + " one");
    }

    @Test
    void values_without_a_check_get_a_warning() throws Exception {
        container("image: orders");
        annotate("fall", "7");
        assertThat(variables(SidecarKind.NATIVE)).isEmpty();
        assertThat(warnings())
                .isEqualTo("annotation elector.doyen.dev/fall has no effect, because the elector does not check the"
                        + " health of this pod; add a probe to container app, or leave out the annotation");
    }

    @Test
    void a_non_expiring_lease_has_no_health_check() throws Exception {
        container(LIVEZ);
        annotate("mode", "non_expiring");
        assertThat(variables(SidecarKind.NATIVE)).isEmpty();
        annotate("health", "none");
        assertThat(variables(SidecarKind.NATIVE)).isEmpty();
        annotate("health", "liveness");
        assertRefused(
                SidecarKind.NATIVE,
                "annotation elector.doyen.dev/health has no effect with annotation elector.doyen.dev/mode:"
                        + " non_expiring, because then an unhealthy candidate also leads; leave out one of the two");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "livenessProbe: {exec: {command: [a]}}, readinessProbe: {tcpSocket: {port: 81}}, ports: [{containerPort: 80}] | 81",
                "livenessProbe: {tcpSocket: {port: 81, host: db}}, ports: [{containerPort: 80}]                               | 80",
                "ports: [{containerPort: 53, protocol: UDP}, {containerPort: 80}]                                             | 80",
                "ports: [{containerPort: 53, protocol: UDP}]                                                                  |",
            })
    void a_plain_container_waits_until_the_port_of_the_app_is_closed(String fields, String port) throws Exception {
        container(fields);
        annotate("health", "none");
        var expected = new LinkedHashMap<>(Map.of("ELECTOR_RELEASE", "wait", "ELECTOR_GRACE", "30s"));
        if (port != null) {
            expected.put("ELECTOR_APP_PORT", port);
        }
        assertThat(variables(SidecarKind.PLAIN)).containsExactlyInAnyOrderEntriesOf(expected);
        assertThat(variables(SidecarKind.NATIVE)).isEmpty();
    }

    @Test
    void a_plain_container_waits_for_the_end_of_a_program() throws Exception {
        container(LIVEZ);
        annotate("health", "none");
        annotate("app-command", "orders");
        pod.withObject("/spec").put("shareProcessNamespace", true);
        assertThat(variables(SidecarKind.PLAIN))
                .containsExactly(
                        entry("ELECTOR_APP_COMMAND", "orders"),
                        entry("ELECTOR_RELEASE", "wait"),
                        entry("ELECTOR_GRACE", "30s"));
        assertThat(variables(SidecarKind.NATIVE)).containsExactly(entry("ELECTOR_APP_COMMAND", "orders"));
    }

    @ParameterizedTest
    @CsvSource({"0, 2s", "2, 2s", "90, 90s", "3600, 3600s", "7200, 3600s"})
    void a_plain_container_gets_the_grace_period_of_the_pod(int seconds, String grace) throws Exception {
        container("image: orders");
        pod.withObject("/spec").put("terminationGracePeriodSeconds", seconds);
        assertThat(variables(SidecarKind.PLAIN)).containsEntry("ELECTOR_GRACE", grace);
        assertThat(warnings(SidecarKind.PLAIN))
                .isEqualTo(
                        seconds <= 3600
                                ? ""
                                : "the pod has terminationGracePeriodSeconds 7200; the elector waits for the app at"
                                        + " most 3600 s");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://localhost",
                "http://localhost:8080",
                "https://a-b.c:1/d/e?f=g&h=%2F",
                "http://10.0.0.1:65535/",
                "http://x/$(a)"
            })
    void a_url_of_the_elector_is_accepted(String url) {
        assertThat(UrlSyntax.URL.matcher(url).matches()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "localhost:8080",
                "ftp://localhost",
                "http://",
                "http://a_b/",
                "http://10.0.0.256/",
                "http://a.1/",
                "http://[::1]/",
                "http://me@localhost/",
                "http://localhost:0/",
                "http://localhost:65536/",
                "http://localhost/a b",
                "http://localhost/#a",
                "http://localhost/%4"
            })
    void a_url_that_the_elector_could_reject_is_rejected(String url) {
        assertThat(UrlSyntax.URL.matcher(url).matches()).isFalse();
    }

    @Test
    void a_very_long_url_is_rejected_without_a_stack_overflow() {
        assertThat(UrlSyntax.URL
                        .matcher("http://localhost/" + "%41".repeat(1_000_000))
                        .matches())
                .isFalse();
    }

    private void container(String... fields) {
        containerNamed("app", fields);
    }

    private void containerNamed(String name, String... fields) {
        pod.withArray("/spec/containers")
                .add(Yamls.parse("{name: " + name + ", " + String.join(", ", fields) + "}")
                        .get(0));
    }

    private void annotate(String option, String value) {
        pod.withObject("/metadata/annotations").put("elector.doyen.dev/" + option, value);
    }

    /** Returns the variables of the elector that this class tests, in order. */
    private Map<String, String> variables(SidecarKind kind) throws Exception {
        var variables = new LinkedHashMap<String, String>();
        var list = kind == SidecarKind.NATIVE ? "/spec/initContainers" : "/spec/containers";
        for (var container : inject(kind).at(list)) {
            if (container.path("name").asText().equals(Marks.CONTAINER)) {
                for (var variable : container.path("env")) {
                    variables.put(
                            variable.path("name").asText(),
                            variable.path("value").asText());
                }
            }
        }
        variables
                .keySet()
                .removeIf(name -> name.startsWith("POD_")
                        || name.equals("ELECTOR_LOG_FORMAT")
                        || name.equals("ELECTOR_ADMIN_COMMANDS"));
        return variables;
    }

    private String warnings() throws Exception {
        return warnings(SidecarKind.NATIVE);
    }

    private String warnings(SidecarKind kind) throws Exception {
        return inject(kind).at("/metadata/annotations").path(Marks.WARNING).asText();
    }

    private JsonNode inject(SidecarKind kind) throws Exception {
        return new Injection(new InjectionSettings("doyen-elector:1", kind)).inject(pod, "shop", Revision.NONE);
    }

    private void assertRefused(SidecarKind kind, String sentence) {
        assertThatThrownBy(() -> inject(kind))
                .isInstanceOf(InjectionRefusedException.class)
                .hasMessage(sentence);
    }
}
