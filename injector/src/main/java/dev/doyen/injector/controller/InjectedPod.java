package dev.doyen.injector.controller;

import com.fasterxml.jackson.databind.JsonNode;
import dev.doyen.injector.Marks;
import java.util.Optional;

/**
 * As much of a pod as matters here.
 *
 * @param election empty if the pod does not say which
 * @param labelled whether it has the leader's label
 * @param finished whether its containers are over for good
 */
record InjectedPod(
        String namespace,
        String name,
        Account account,
        Optional<String> election,
        boolean wantsLabel,
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
