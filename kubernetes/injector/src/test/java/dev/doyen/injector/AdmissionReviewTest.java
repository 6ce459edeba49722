package dev.doyen.injector;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

class AdmissionReviewTest {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Injection INJECTION =
            new Injection(new InjectionSettings("doyen-elector:1", SidecarKind.NATIVE));

    @Test
    void the_patch_has_one_operation_for_each_place_that_changes() throws Exception {
        var pod = Yamls.read(Path.of("src/test/resources/pods/deployment.yaml")).get(0);
        var review = AdmissionReview.read(question(pod));
        assertThat(review.namespace()).isEqualTo("shop");

        var response = JSON.readTree(review.allow(INJECTION.inject(review.pod(), "shop", Revision.NONE)));

        assertThat(response.at("/response/uid").asText()).isEqualTo("u-1");
        assertThat(response.at("/response/allowed").asBoolean()).isTrue();
        assertThat(response.at("/response/patchType").asText()).isEqualTo("JSONPatch");
        var operations = JSON.readTree(
                Base64.getDecoder().decode(response.at("/response/patch").asText()));
        assertThat(StreamSupport.stream(operations.spliterator(), false)
                        .map(each ->
                                each.get("op").asText() + " " + each.get("path").asText()))
                .containsExactlyInAnyOrder(
                        "add /metadata/annotations",
                        "add /spec/initContainers/0",
                        "add /spec/containers/0/env/0",
                        "add /spec/containers/0/env/1",
                        "add /spec/containers/0/env/2",
                        "add /spec/containers/1/env");
    }

    @Test
    void the_warnings_of_a_pod_are_part_of_the_answer() throws Exception {
        var pod = (ObjectNode)
                Yamls.read(Path.of("src/test/resources/pods/deployment.yaml")).get(0);
        pod.withObject("/spec/containers/0/livenessProbe/exec");
        pod.withObject("/spec/containers/0/readinessProbe/exec");
        var review = AdmissionReview.read(question(pod));

        var injected = INJECTION.inject(review.pod(), "shop", Revision.NONE);

        assertThat(JSON.readTree(review.allow(injected)).at("/response/warnings"))
                .extracting(JsonNode::asText)
                .satisfiesExactly(
                        first -> assertThat(first).startsWith("the elector ignores the livenessProbe of container app"),
                        second -> assertThat(second)
                                .startsWith("the elector ignores the readinessProbe of container app"));
        // The API server calls the webhook again after another webhook has changed the pod.
        assertThat(text(AdmissionReview.read(question(injected))
                        .allow(INJECTION.inject(injected, "shop", Revision.NONE))))
                .doesNotContain("warnings", "patch");
    }

    @Test
    void an_unchanged_pod_gets_no_patch() throws Exception {
        var pod = JSON.readTree("{\"spec\":{}}");
        assertThat(text(AdmissionReview.read(question(pod)).allow(pod)))
                .isEqualTo("{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\","
                        + "\"response\":{\"uid\":\"u-1\",\"allowed\":true}}");
    }

    @Test
    void a_rejection_contains_the_sentence() throws Exception {
        var review = AdmissionReview.read(question(JSON.readTree("{}")));
        assertThat(text(review.refuse("no")))
                .isEqualTo("{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\","
                        + "\"response\":{\"uid\":\"u-1\",\"allowed\":false,"
                        + "\"status\":{\"code\":422,\"reason\":\"Invalid\",\"message\":\"no\"}}}");
    }

    @Test
    void a_body_with_too_many_tokens_is_rejected_with_a_sentence() {
        var sentence = "the body exceeds a limit of JSON, such as 100000 tokens; send a smaller pod";
        assertRefused("[" + "{},".repeat(1_000_000) + "{}]", sentence);
        assertRefused("[".repeat(100_000), sentence);
    }

    @Test
    void a_review_without_a_pod_is_rejected_with_a_sentence() {
        assertRefused("nonsense", "the body is not JSON; send an AdmissionReview");
        assertRefused(
                "{\"apiVersion\":\"admission.k8s.io/v1beta1\",\"kind\":\"AdmissionReview\",\"request\":{\"uid\":\"1\"}}",
                "the body is a \"admission.k8s.io/v1beta1\" AdmissionReview;"
                        + " send an admission.k8s.io/v1 AdmissionReview with a request");
        assertRefused(
                "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",\"request\":{\"uid\":\"1\","
                        + "\"resource\":{\"group\":\"\",\"version\":\"v1\",\"resource\":\"services\"},\"object\":{}}}",
                "the request is about \"services\"; this webhook handles only the creation of pods");
    }

    private static void assertRefused(String body, String sentence) {
        assertThatThrownBy(() -> AdmissionReview.read(body.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(sentence);
    }

    private static byte[] question(JsonNode pod) throws Exception {
        var review =
                JSON.createObjectNode().put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
        var request = review.putObject("request").put("uid", "u-1").put("namespace", "shop");
        request.putObject("resource").put("group", "").put("version", "v1").put("resource", "pods");
        request.set("object", pod);
        return JSON.writeValueAsBytes(review);
    }

    private static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8);
    }
}
