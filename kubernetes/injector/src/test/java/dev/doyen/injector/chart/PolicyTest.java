package dev.doyen.injector.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.doyen.injector.Injection;
import dev.doyen.injector.InjectionRefusedException;
import dev.doyen.injector.InjectionSettings;
import dev.doyen.injector.Revision;
import dev.doyen.injector.SidecarKind;
import dev.doyen.injector.Yamls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that the chart's policies change a pod in the same way as the webhook.
 *
 * <p>These tests evaluate the policies in Java, because no API server of Kubernetes 1.36 was available.
 */
class PolicyTest {

    private static final List<JsonNode> OBJECTS = Chart.render("policy.enabled=true", "injector.enabled=false");
    private static final Policy MUTATING = new Policy(Chart.the(OBJECTS, "MutatingAdmissionPolicy", "elector-inject"));
    private static final Policy VALIDATING =
            new Policy(Chart.the(OBJECTS, "ValidatingAdmissionPolicy", "elector-inject"));

    private final Injection injection =
            new Injection(new InjectionSettings("doyen-elector:0.1.0-SNAPSHOT", SidecarKind.NATIVE));

    @ParameterizedTest
    @ValueSource(strings = {"deployment", "plain"})
    void the_policy_changes_a_pod_like_the_webhook(String name) throws Exception {
        var pod = pod(name);
        var mutated = MUTATING.mutate(pod, "shop");
        assertThat(mutated).isEqualTo(withoutDefaults(injection.inject(pod, "shop", Revision.NONE)));
        assertThat(VALIDATING.rejection(mutated)).isEmpty();
        assertThat(MUTATING.mutate(mutated, "shop"))
                .as("a second evaluation changes nothing")
                .isEqualTo(mutated);
    }

    @Test
    void the_election_can_be_chosen_and_own_variables_are_kept() throws Exception {
        var pod = pod("deployment");
        pod.withObject("/metadata/annotations")
                .put("elector.doyen.dev/election", "import")
                .put("other", "kept");
        pod.withArray("/spec/containers/0/env")
                .addObject()
                .put("name", "ELECTOR_PATH")
                .put("value", "mine");
        assertThat(MUTATING.mutate(pod, "shop"))
                .isEqualTo(withoutDefaults(injection.inject(pod, "shop", Revision.NONE)));
    }

    @Test
    void settings_that_the_policy_does_not_support_are_rejected() throws Exception {
        var port = pod("deployment");
        port.withArray("/spec/containers/1/ports").addObject().put("containerPort", 4041);
        var option = pod("deployment");
        option.withObject("/metadata/annotations").put("elector.doyen.dev/mode", "non_expiring");
        var network = pod("deployment");
        network.withObject("/spec").put("hostNetwork", true);
        var orphan = pod("deployment");
        orphan.withObject("/metadata").remove("ownerReferences");
        for (var pod : List.of(port, option, network, orphan)) {
            assertThat(MUTATING.mutate(pod, "shop")).isEqualTo(pod);
            assertThat(VALIDATING.rejection(pod).orElse("none"))
                    .as(pod.toString())
                    .startsWith("the pod asks for an elector");
        }
    }

    @Test
    void a_mistyped_label_is_rejected_with_the_sentence_of_the_webhook() throws Exception {
        var pod = pod("deployment");
        pod.withObject("/metadata/labels").put("elector.doyen.dev/inject", "True");
        var refusal = catchThrowableOfType(
                InjectionRefusedException.class, () -> injection.inject(pod, "shop", Revision.NONE));
        assertThat(MUTATING.mutate(pod, "shop")).isEqualTo(pod);
        assertThat(VALIDATING.rejection(pod)).hasValue(refusal.sentence());
    }

    @Test
    void a_pod_with_another_elector_is_unchanged_by_the_policy() throws Exception {
        var pod = pod("deployment");
        pod.withArray("/spec/containers").addObject().put("name", "elector");
        assertThat(MUTATING.mutate(pod, "shop")).isEqualTo(pod);
        assertThat(VALIDATING.rejection(pod)).isEmpty();
    }

    /**
     * Compares the plain manifest with the rendered chart. With {@code -Drewrite=true}, the test writes the manifest.
     */
    @Test
    void the_plain_manifest_equals_the_rendered_chart() throws Exception {
        var file = Path.of("../../kubernetes/policy/elector-inject.yaml");
        var policies = OBJECTS.stream()
                .filter(each -> each.path("kind").asText().contains("AdmissionPolicy"))
                .map(each -> (ObjectNode) each.deepCopy())
                .toList();
        policies.forEach(each -> each.withObject("/metadata").remove("labels"));
        if (Boolean.getBoolean("rewrite")) {
            var text = new StringBuilder("# Generated from the chart's policy.yaml, which contains the comments.\n");
            policies.forEach(each -> text.append("---\n").append(Yamls.text(each)));
            Files.writeString(file, text);
        }
        assertThat(Yamls.read(file)).isEqualTo(policies);
    }

    @Test
    void an_older_cluster_is_rejected_with_a_sentence() {
        assertThatThrownBy(() -> Chart.renderFor("1.35.0", "policy.enabled=true"))
                .hasMessageContaining(
                        "policy.enabled needs Kubernetes 1.36 or newer, where MutatingAdmissionPolicy is v1;"
                                + " this is v1.35.0. Use the injector instead.");
    }

    /** Removes the default values that the webhook writes. A policy leaves these values to the API server. */
    private static JsonNode withoutDefaults(JsonNode pod) {
        pod.findParents("fieldPath").forEach(each -> ((ObjectNode) each).remove("apiVersion"));
        return pod;
    }

    private static ObjectNode pod(String name) throws Exception {
        return (ObjectNode)
                Yamls.read(Path.of("src/test/resources/pods", name + ".yaml")).get(0);
    }
}
