package dev.doyen.injector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests the injection. The files in {@code pods} are the test cases.
 *
 * <p>Each file contains a pod and, after {@code ---}, the expected result. With {@code -Drewrite=true}, the test writes
 * the actual result into the file.
 */
class InjectionTest {

    private static final Path PODS = Path.of("src/test/resources/pods");

    private final Injection nativeInjection =
            new Injection(new InjectionSettings("doyen-elector:1", SidecarKind.NATIVE));
    private final Injection plainInjection = new Injection(new InjectionSettings("doyen-elector:1", SidecarKind.PLAIN));

    @ParameterizedTest
    @ValueSource(strings = {"deployment", "options", "plain", "came-later", "probes", "health-options", "plain-probes"})
    void an_injected_pod_equals_its_expected_file(String name) throws Exception {
        var file = PODS.resolve(name + ".yaml");
        var injection = name.startsWith("plain") ? plainInjection : nativeInjection;
        var pod = Yamls.read(file).get(0);
        var untouched = pod.deepCopy();

        var injected = injection.inject(pod, "shop", Revision.NONE);

        if (Boolean.getBoolean("rewrite")) {
            rewrite(file, injected);
        }
        assertThat(injected).isEqualTo(Yamls.read(file).get(1));
        assertThat(pod).as("the injection does not change its input").isEqualTo(untouched);
        assertThat(injection.inject(injected, "shop", Revision.NONE))
                .as("a second injection changes nothing")
                .isEqualTo(injected);
    }

    @Test
    void a_pod_that_requests_no_elector_is_unchanged() throws Exception {
        var pod = pod("deployment");
        pod.withObject("/metadata/labels").put(Marks.INJECT, "false");
        assertThat(nativeInjection.inject(pod, "shop", Revision.NONE)).isSameAs(pod);
        pod.withObject("/metadata/labels").remove(Marks.INJECT);
        assertThat(nativeInjection.inject(pod, "shop", Revision.NONE)).isSameAs(pod);
        pod.withObject("/metadata").remove("labels");
        assertThat(nativeInjection.inject(pod, "shop", Revision.NONE)).isSameAs(pod);
    }

    @ParameterizedTest
    @ValueSource(strings = {"True", "yes", "on", "1", "enabled", ""})
    void a_mistyped_label_is_rejected_with_a_sentence(String value) throws Exception {
        var pod = pod("deployment");
        pod.withObject("/metadata/labels").put(Marks.INJECT, value);
        assertRefused(
                nativeInjection,
                pod,
                "label elector.doyen.dev/inject is \"" + value
                        + "\"; it must be \"true\" or \"false\", or be left out");
    }

    @ParameterizedTest
    @ValueSource(strings = {"containers", "initContainers"})
    void a_pod_with_another_elector_is_unchanged(String where) throws Exception {
        var pod = pod("deployment");
        pod.withArray("/spec/" + where).addObject().put("name", "elector").put("image", "nais");
        assertThat(nativeInjection.inject(pod, "shop", Revision.NONE)).isSameAs(pod);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "port       | 80      | annotation elector.doyen.dev/port is \"80\"; it must be a port from 1024 to 65535, or be left out",
                "probe-port | 70000   | annotation elector.doyen.dev/probe-port is \"70000\"; it must be a port from 1024 to 65535, or be left out",
                "port       | 4041    | annotations elector.doyen.dev/port and elector.doyen.dev/probe-port are both 4041; choose two different ports",
                "port       | 8080    | container app uses port 8080, which the elector needs; give it another, or the elector by annotation elector.doyen.dev/port",
                "probe-port | 8080    | container app uses port 8080, which the elector needs; give it another, or the elector by annotation elector.doyen.dev/probe-port",
                "mode       | forever | annotation elector.doyen.dev/mode is \"forever\"; it must be lease or non_expiring, or be left out",
                "generation | -1      | annotation elector.doyen.dev/generation is \"-1\"; it must be a number from 0 to 9007199254740991, or be left out",
                "generation | 9007199254740992 | annotation elector.doyen.dev/generation is \"9007199254740992\"; it must be a number from 0 to 9007199254740991, or be left out",
                "leader-label | yes   | annotation elector.doyen.dev/leader-label is \"yes\"; it must be true or false, or be left out",
                "election   | My App  | annotation elector.doyen.dev/election is \"My App\"; it must be the name of a Lease, 1 to 253 characters: words of a-z, 0-9 and - separated by dots, or be left out",
                "image      | a b     | annotation elector.doyen.dev/image is \"a b\"; it must be 1 to 1024 characters without spaces, or be left out",
                "memory-limit | lots  | annotation elector.doyen.dev/memory-limit is \"lots\"; it must be a quantity such as 10m or 64Mi, or be left out",
                "health     | yes     | annotation elector.doyen.dev/health is \"yes\"; it must be probe or liveness or readiness or none, or be left out",
                "health-http | /livez | annotation elector.doyen.dev/health-http is \"/livez\"; it must be a URL such as http://localhost:8080/livez, or be left out",
                "health-http | http://localhost:65536/ | annotation elector.doyen.dev/health-http is \"http://localhost:65536/\"; it must be a URL such as http://localhost:8080/livez, or be left out",
                "health-http | http://localhost:8080/a{b} | annotation elector.doyen.dev/health-http is \"http://localhost:8080/a{b}\"; it must be a URL such as http://localhost:8080/livez, or be left out",
                "health-tcp | 8080    | annotation elector.doyen.dev/health-tcp is \"8080\"; it must be HOST:PORT such as localhost:8080, or be left out",
                "health-exec | ``     | annotation elector.doyen.dev/health-exec is \"\"; it must be a command of 1 to 1024 characters, with blanks between its words, or be left out",
                "health-every | 5     | annotation elector.doyen.dev/health-every is \"5\"; it must be a time from 10ms to 60m, such as 500ms or 5s, or be left out",
                "health-every | 61m   | annotation elector.doyen.dev/health-every is \"61m\"; it must be a time from 10ms to 60m, such as 500ms or 5s, or be left out",
                "health-timeout | 9ms | annotation elector.doyen.dev/health-timeout is \"9ms\"; it must be a time from 10ms to 60m, such as 500ms or 5s, or be left out",
                "fall       | 0       | annotation elector.doyen.dev/fall is \"0\"; it must be a number from 1 to 100, or be left out",
                "rise       | 101     | annotation elector.doyen.dev/rise is \"101\"; it must be a number from 1 to 100, or be left out",
                "if-none-healthy | lead | annotation elector.doyen.dev/if-none-healthy is \"lead\"; it must be no_leader or lead_anyway, or be left out",
                "app-command | /bin/app | annotation elector.doyen.dev/app-command is \"/bin/app\"; it must be the name of a program, 1 to 255 characters without blanks and /, or be left out",
                "app-command | app    | annotation elector.doyen.dev/app-command needs shareProcessNamespace: true in the spec of the pod; add it, or leave out the annotation",
                "health     | liveness | annotation elector.doyen.dev/health is \"liveness\", but container app has no livenessProbe; add the probe, or leave out the annotation",
                "elction    | orders  | annotation elector.doyen.dev/elction is not known; known are elector.doyen.dev/app-command, elector.doyen.dev/cpu-limit, elector.doyen.dev/cpu-request, elector.doyen.dev/election, elector.doyen.dev/fall, elector.doyen.dev/generation, elector.doyen.dev/health, elector.doyen.dev/health-every, elector.doyen.dev/health-exec, elector.doyen.dev/health-http, elector.doyen.dev/health-tcp, elector.doyen.dev/health-timeout, elector.doyen.dev/if-none-healthy, elector.doyen.dev/image, elector.doyen.dev/leader-label, elector.doyen.dev/memory-limit, elector.doyen.dev/memory-request, elector.doyen.dev/mode, elector.doyen.dev/port, elector.doyen.dev/probe-port, elector.doyen.dev/rise, elector.doyen.dev/status, elector.doyen.dev/warning"
            })
    void an_invalid_annotation_is_rejected_with_a_sentence(String option, String value, String sentence)
            throws Exception {
        var pod = pod("deployment");
        pod.withObject("/metadata/annotations").put("elector.doyen.dev/" + option, value);
        assertRefused(nativeInjection, pod, sentence);
    }

    @Test
    void a_port_of_the_application_is_rejected() throws Exception {
        var pod = pod("deployment");
        pod.withArray("/spec/initContainers/0/ports").addObject().put("containerPort", 4041);
        assertRefused(
                nativeInjection,
                pod,
                "container migrate uses port 4041, which the elector needs; give it another, or the elector by"
                        + " annotation elector.doyen.dev/probe-port");
    }

    @Test
    void a_pod_with_more_than_500_containers_is_rejected() throws Exception {
        var pod = pod("deployment");
        var containers = pod.withArray("/spec/containers");
        while (containers.size() < 500) {
            containers.addObject();
        }
        assertThat(nativeInjection.inject(pod, "shop", Revision.NONE)).isNotEqualTo(pod);
        containers.addObject();
        assertRefused(
                nativeInjection,
                pod,
                "the pod has 501 containers; an elector can be added to at most 500. Remove containers, or the label"
                        + " elector.doyen.dev/inject");
    }

    @Test
    void on_the_machines_network_both_ports_must_be_chosen() throws Exception {
        var pod = pod("deployment");
        pod.withObject("/spec").put("hostNetwork", true);
        pod.withObject("/metadata/annotations").put("elector.doyen.dev/port", "14040");
        assertRefused(
                nativeInjection,
                pod,
                "the pod uses its machine's network (hostNetwork), where ports 14040 and 4041 may belong to another elector;"
                        + " choose ports that are free on all machines by annotations elector.doyen.dev/port and"
                        + " elector.doyen.dev/probe-port");
    }

    @Test
    void a_pod_that_completes_gets_no_endless_container() throws Exception {
        var pod = pod("deployment");
        pod.withObject("/spec").put("restartPolicy", "OnFailure");
        assertRefused(
                plainInjection,
                pod,
                "the pod has restartPolicy OnFailure, and would never complete beside a plain container; this needs Kubernetes"
                        + " 1.29 or newer. Remove the label elector.doyen.dev/inject, and use doyen run instead");
        assertThat(nativeInjection
                        .inject(pod, "shop", Revision.NONE)
                        .at("/spec/initContainers/0/name")
                        .asText())
                .isEqualTo("elector");
    }

    @Test
    void a_pod_without_an_owner_names_its_election() throws Exception {
        var pod = pod("deployment");
        ((ObjectNode) pod.get("metadata")).remove("ownerReferences");
        assertRefused(
                nativeInjection,
                pod,
                "the pod has no owner to name the election after; name the election by the"
                        + " annotation elector.doyen.dev/election, such as elector.doyen.dev/election: orders");
    }

    @Test
    void the_election_is_named_after_the_controlling_owner() throws Exception {
        var pod = pod("deployment");
        pod.withArray("/metadata/ownerReferences").insertObject(0).put("name", "a-bystander");
        assertThat(nativeInjection
                        .inject(pod, "shop", Revision.NONE)
                        .at("/metadata/annotations")
                        .get(Marks.ELECTION))
                .hasToString("\"orders\"");
    }

    @Test
    void only_the_hash_is_removed_from_the_name_of_the_owner() throws Exception {
        var pod = pod("deployment");
        ((ObjectNode) pod.at("/metadata/ownerReferences/0")).put("name", "orders-v2");
        assertThat(nativeInjection
                        .inject(pod, "shop", Revision.NONE)
                        .at("/metadata/annotations")
                        .get(Marks.ELECTION))
                .hasToString("\"orders-v2\"");
    }

    @Test
    void the_revision_of_the_ReplicaSet_is_the_generation() throws Exception { // M8
        var pod = pod("deployment");
        assertThat(nativeInjection.replicaSet(pod)).contains("orders-5d4f8c7b9");

        var injected = nativeInjection.inject(pod, "shop", revision("7"));

        var elector = injected.at("/spec/initContainers/0");
        assertThat(generations(elector)).containsExactly("7");
        assertThat(elector.at("/readinessProbe/httpGet/path").asText()).isEqualTo("/readyz");
        assertThat(elector.at("/readinessProbe/httpGet/port").asInt()).isEqualTo(4041);
        assertThat(Injection.warnings(injected)).isEmpty();
        assertThat(nativeInjection.replicaSet(injected))
                .as("a second injection reads nothing")
                .isEmpty();
        assertThat(nativeInjection.inject(injected, "shop", Revision.NONE)).isEqualTo(injected);
    }

    @Test
    void the_annotation_sets_the_generation_instead_of_the_revision() throws Exception { // M8
        var pod = pod("deployment");
        pod.withObject("/metadata/annotations").put("elector.doyen.dev/generation", "9007199254740991");
        assertThat(nativeInjection.replicaSet(pod)).isEmpty();
        assertThat(generations(
                        nativeInjection.inject(pod, "shop", revision("7")).at("/spec/initContainers/0")))
                .containsExactly("9007199254740991");

        pod.withObject("/metadata/annotations").put("elector.doyen.dev/generation", "0");
        assertThat(nativeInjection.replicaSet(pod)).isEmpty();
        var elector = nativeInjection.inject(pod, "shop", revision("7")).at("/spec/initContainers/0");
        assertThat(generations(elector)).isEmpty();
        assertThat(elector.has("readinessProbe")).isFalse();
    }

    @Test
    void a_pod_without_a_Deployment_or_with_a_non_expiring_lease_needs_no_revision() throws Exception { // M8
        var other = pod("deployment");
        ((ObjectNode) other.at("/metadata/ownerReferences/0")).put("kind", "StatefulSet");
        assertThat(nativeInjection.replicaSet(other)).isEmpty();
        var withoutHash = pod("deployment");
        withoutHash.withObject("/metadata/labels").remove("pod-template-hash");
        assertThat(nativeInjection.replicaSet(withoutHash)).isEmpty();
        var nonExpiring = pod("deployment");
        nonExpiring.withObject("/metadata/annotations").put("elector.doyen.dev/mode", "non_expiring");
        assertThat(nativeInjection.replicaSet(nonExpiring)).isEmpty();
        nonExpiring.withObject("/metadata/annotations").put("elector.doyen.dev/generation", "1");
        assertRefused(
                nativeInjection,
                nonExpiring,
                "annotation elector.doyen.dev/generation has no effect with annotation elector.doyen.dev/mode:"
                        + " non_expiring, because a leader never hands over there; leave out one of them");
    }

    @Test
    void a_pod_with_an_unknown_revision_gets_an_elector_and_a_warning() throws Exception { // M8
        for (var text : new String[] {"", "-1", "9007199254740992"}) {
            var injected = nativeInjection.inject(pod("deployment"), "shop", revision(text));
            assertThat(generations(injected.at("/spec/initContainers/0"))).isEmpty();
            assertThat(Injection.warnings(injected))
                    .containsExactly("the elector has no generation, because the ReplicaSet's revision is unknown: its"
                            + " annotation deployment.kubernetes.io/revision is \"" + text
                            + "\"; set annotation elector.doyen.dev/generation");
        }
        assertThat(Revision.unknown("a\n" + "b".repeat(1000)).warning().orElseThrow())
                .as("an API server cuts a warning after 256 characters")
                .hasSizeLessThanOrEqualTo(256)
                .doesNotContain("\n");
    }

    private static Revision revision(String text) {
        return Revision.of(Yamls.parse("{metadata: {annotations: {deployment.kubernetes.io/revision: '" + text + "'}}}")
                .get(0));
    }

    private static List<String> generations(JsonNode elector) {
        return StreamSupport.stream(elector.path("env").spliterator(), false)
                .filter(variable -> variable.path("name").asText().equals("ELECTOR_GENERATION"))
                .map(variable -> variable.path("value").asText())
                .toList();
    }

    private static void assertRefused(Injection injection, JsonNode pod, String sentence) {
        assertThatThrownBy(() -> injection.inject(pod, "shop", Revision.NONE))
                .isInstanceOf(InjectionRefusedException.class)
                .hasMessage(sentence);
    }

    private static ObjectNode pod(String name) throws IOException {
        return (ObjectNode) Yamls.read(PODS.resolve(name + ".yaml")).get(0);
    }

    private static void rewrite(Path file, JsonNode injected) throws IOException {
        var given = Files.readString(file).replaceFirst("(?s)\n---\n.*", "\n");
        Files.writeString(file, given + "---\n" + Yamls.text(injected));
    }
}
