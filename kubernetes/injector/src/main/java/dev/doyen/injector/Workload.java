package dev.doyen.injector;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/**
 * Derives the election's name from the pod's owner.
 *
 * <p>The injector uses the derived name if no annotation of the pod names the election.
 */
final class Workload {

    private static final List<String> HASH_LABELS = List.of("pod-template-hash", "rollouts-pod-template-hash");

    private Workload() {}

    /** Returns the name of the pod's Deployment, StatefulSet or other owner. */
    static String name(JsonNode pod) throws InjectionRefusedException {
        for (var owner : pod.at("/metadata/ownerReferences")) {
            if (owner.path("controller").asBoolean()) {
                return withoutHash(owner.path("name").asText(), pod.at("/metadata/labels"));
            }
        }
        throw new InjectionRefusedException(
                "the pod has no owner to name the election after; name the election by the annotation " + Marks.ELECTION
                        + ", such as " + Marks.ELECTION + ": orders");
    }

    /**
     * Returns the name of the pod's ReplicaSet if a Deployment manages the ReplicaSet.
     *
     * <p>The label {@code pod-template-hash} is the sign of such a ReplicaSet.
     */
    static Optional<String> replicaSet(JsonNode pod) {
        if (pod.at("/metadata/labels").path(HASH_LABELS.get(0)).asText().isEmpty()) {
            return Optional.empty();
        }
        for (var owner : pod.at("/metadata/ownerReferences")) {
            if (owner.path("controller").asBoolean()
                    && owner.path("kind").asText().equals("ReplicaSet")
                    && owner.path("apiVersion").asText().startsWith("apps/")) {
                return Optional.of(owner.path("name").asText());
            }
        }
        return Optional.empty();
    }

    /**
     * Removes the hash from the owner's name.
     *
     * <p>The name of a ReplicaSet consists of its Deployment's name and the hash of the template. The pods of the
     * ReplicaSet have this hash as a label.
     */
    private static String withoutHash(String owner, JsonNode labels) {
        for (var label : HASH_LABELS) {
            var ending = "-" + labels.path(label).asText();
            if (ending.length() > 1 && owner.length() > ending.length() && owner.endsWith(ending)) {
                return owner.substring(0, owner.length() - ending.length());
            }
        }
        return owner;
    }
}
