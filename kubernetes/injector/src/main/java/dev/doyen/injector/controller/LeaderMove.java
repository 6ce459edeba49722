package dev.doyen.injector.controller;

import java.util.List;
import java.util.Optional;

/**
 * Removes the leader's label from some pods, and then adds it to another.
 *
 * <p>The order matters: the label is added only after all removals.
 *
 * @param clear the names of the pods that lose the label
 * @param label the name of the leader's pod, if it belongs to the election and lacks the label
 */
public record LeaderMove(String namespace, String election, List<String> clear, Optional<String> label) {

    public LeaderMove {
        clear = List.copyOf(clear);
    }
}
