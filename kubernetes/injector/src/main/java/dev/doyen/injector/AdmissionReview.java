package dev.doyen.injector;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.flipkart.zjsonpatch.DiffFlags;
import com.flipkart.zjsonpatch.JsonDiff;
import java.io.IOException;
import java.util.Base64;
import java.util.EnumSet;

/**
 * An admission request of the API server about a pod, and the answers to it.
 *
 * <p>Source: {@code admission.k8s.io/v1} AdmissionReview; RFC 6902 for the patch.
 *
 * @param uid the id of the request, which the answer must repeat
 * @param namespace the namespace in which the API server will create the pod
 */
public record AdmissionReview(String uid, String namespace, JsonNode pod) {

    /**
     * The maximum number of JSON tokens of a request.
     *
     * <p>A large pod has some thousand tokens. A body of 3 MiB can contain a million empty objects, which would need
     * more memory than the injector's heap.
     */
    private static final int MAX_TOKENS = 100_000;

    private static final ObjectMapper JSON = new ObjectMapper(JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxTokenCount(MAX_TOKENS).build())
            .build());
    private static final String API_VERSION = "admission.k8s.io/v1";
    private static final int UNPROCESSABLE = 422;

    // A patch without copy and move operations is longer, but easier to read for people.
    private static final EnumSet<DiffFlags> PLAIN_OPERATIONS =
            EnumSet.of(DiffFlags.OMIT_COPY_OPERATION, DiffFlags.OMIT_MOVE_OPERATION, DiffFlags.OMIT_VALUE_ON_REMOVE);

    /**
     * Parses the body of a request.
     *
     * @throws IllegalArgumentException if the body is not an admission request about a pod, or has too many tokens; the
     *     message is one sentence
     */
    public static AdmissionReview read(byte[] body) {
        JsonNode review;
        try {
            review = JSON.readTree(body);
        } catch (StreamConstraintsException e) {
            throw new IllegalArgumentException(
                    "the body exceeds a limit of JSON, such as " + MAX_TOKENS + " tokens; send a smaller pod", e);
        } catch (IOException e) {
            throw new IllegalArgumentException("the body is not JSON; send an AdmissionReview", e);
        }
        var request = review.path("request");
        if (!review.path("apiVersion").asText().equals(API_VERSION) || !request.hasNonNull("uid")) {
            throw new IllegalArgumentException("the body is a \""
                    + review.path("apiVersion").asText() + "\" "
                    + review.path("kind").asText() + "; send an " + API_VERSION + " AdmissionReview with a request");
        }
        var resource = request.path("resource");
        if (!resource.path("group").asText().isEmpty()
                || !resource.path("resource").asText().equals("pods")
                || !request.path("object").isObject()) {
            throw new IllegalArgumentException("the request is about \""
                    + resource.path("resource").asText() + "\"; this webhook handles only the creation of pods");
        }
        return new AdmissionReview(
                request.get("uid").asText(), request.path("namespace").asText(), request.get("object"));
    }

    /**
     * Returns the answer that admits the pod, with a patch that produces {@code injected}, and with its warnings.
     *
     * <p>The answer contains no patch and no warnings if the pods are equal.
     */
    public byte[] allow(JsonNode injected) {
        var response = response(true);
        var operations = JsonDiff.asJson(pod, injected, PLAIN_OPERATIONS);
        if (!operations.isEmpty()) {
            response.put("patchType", "JSONPatch");
            response.put("patch", Base64.getEncoder().encodeToString(bytes(operations)));
            var warnings = Injection.warnings(injected);
            if (!warnings.isEmpty()) {
                var list = response.putArray("warnings");
                warnings.forEach(list::add);
            }
        }
        return review(response);
    }

    /** Returns the answer that rejects the pod. The API server reports the sentence to the creator of the pod. */
    public byte[] refuse(String sentence) {
        var response = response(false);
        response.putObject("status")
                .put("code", UNPROCESSABLE)
                .put("reason", "Invalid")
                .put("message", sentence);
        return review(response);
    }

    private ObjectNode response(boolean allowed) {
        return JsonNodeFactory.instance.objectNode().put("uid", uid).put("allowed", allowed);
    }

    private static byte[] review(ObjectNode response) {
        var review = JsonNodeFactory.instance.objectNode();
        review.put("apiVersion", API_VERSION).put("kind", "AdmissionReview");
        review.set("response", response);
        return bytes(review);
    }

    private static byte[] bytes(JsonNode tree) {
        try {
            return JSON.writeValueAsBytes(tree);
        } catch (IOException e) {
            throw new IllegalStateException("a tree of JSON cannot be written", e);
        }
    }
}
