package dev.doyen.injector.controller;

import java.util.List;
import java.util.Optional;

/**
 * A change that removes the leader's label from some pods, and then adds the label to another pod.
 *
 * <p>The order is important: the label is added only after all removals.
 *
 * @param clear the names of the pods whose label is removed
 * @param label the name of the leader's pod, if the pod belongs to the election and does not have the label
 */
public record LeaderMove(String namespace, String election, List<String> clear, Optional<String> label) {

    public LeaderMove {
        clear = List.copyOf(clear);
    }
}
