package dev.doyen.injector.controller;

import java.util.List;
import java.util.Optional;

/**
 * A move of the leader's label from some pods to another pod.
 *
 * <p>The controller adds the label only after all removals. So one controller never labels two pods of an election at
 * the same time.
 *
 * @param clear the names of the pods whose label is removed
 * @param label the name of the leader's pod, if this pod must receive the label; otherwise empty
 */
public record LeaderMove(String namespace, String election, List<String> clear, Optional<String> label) {

    public LeaderMove {
        clear = List.copyOf(clear);
    }
}
