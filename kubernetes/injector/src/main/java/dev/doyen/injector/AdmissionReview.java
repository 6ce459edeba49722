package dev.doyen.injector;

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
 * @param uid the id that the answer must repeat
 * @param namespace where the pod is to be created
 */
public record AdmissionReview(String uid, String namespace, JsonNode pod) {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String API_VERSION = "admission.k8s.io/v1";
    private static final int UNPROCESSABLE = 422;

    // Without copy and move operations the patch is longer, but a person can read from it what was changed.
    private static final EnumSet<DiffFlags> PLAIN_OPERATIONS =
            EnumSet.of(DiffFlags.OMIT_COPY_OPERATION, DiffFlags.OMIT_MOVE_OPERATION, DiffFlags.OMIT_VALUE_ON_REMOVE);

    /**
     * Parses the body of a request.
     *
     * @throws IllegalArgumentException if it is not a request about the creation of a pod; the message is one sentence
     */
    public static AdmissionReview read(byte[] body) {
        JsonNode review;
        try {
            review = JSON.readTree(body);
        } catch (IOException e) {
            throw new IllegalArgumentException("the body is no JSON; send an AdmissionReview", e);
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
                    + resource.path("resource").asText() + "\"; only the creation of pods is answered here");
        }
        return new AdmissionReview(
                request.get("uid").asText(), request.path("namespace").asText(), request.get("object"));
    }

    /** Returns the answer that admits the pod with a patch that turns it into {@code wanted}. */
    public byte[] allow(JsonNode wanted) {
        var response = response(true);
        var operations = JsonDiff.asJson(pod, wanted, PLAIN_OPERATIONS);
        if (!operations.isEmpty()) {
            response.put("patchType", "JSONPatch");
            response.put("patch", Base64.getEncoder().encodeToString(bytes(operations)));
        }
        return review(response);
    }

    /** Returns the answer that rejects the pod. The API server shows the sentence to the pod's creator. */
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
