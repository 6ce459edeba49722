package dev.doyen.injector.controller;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.injector.Marks;
import java.util.Optional;

/**
 * The fields of a pod that the controller needs.
 *
 * @param election the name of the election; empty if the pod has no annotation for the election
 * @param acceptsLabel true if the pod accepts the leader's label
 * @param labelled true if the pod has the leader's label
 * @param finished true if the containers of the pod have ended and will not restart
 */
record InjectedPod(
        String namespace,
        String name,
        Account account,
        Optional<String> election,
        boolean acceptsLabel,
        boolean labelled,
        boolean finished) {

    static InjectedPod of(JsonNode pod) {
        var metadata = pod.path("metadata");
        var annotations = metadata.path("annotations");
        var namespace = metadata.path("namespace").asText();
        var phase = pod.at("/status/phase").asText();
        return new InjectedPod(
                namespace,
                metadata.path("name").asText(),
                new Account(namespace, pod.at("/spec/serviceAccountName").asText("default")),
                Optional.ofNullable(annotations.get(Marks.ELECTION)).map(JsonNode::asText),
                !annotations.path(Marks.LEADER_LABEL).asText().equals("false"),
                metadata.path("labels").has(Marks.LEADER),
                phase.equals("Succeeded") || phase.equals("Failed"));
    }
}
