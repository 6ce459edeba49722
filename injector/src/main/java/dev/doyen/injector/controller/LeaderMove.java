package dev.doyen.injector.controller;

import java.util.List;
import java.util.Optional;

/**
 * The leader's label is to be taken from some pods, and only when that is done to be given to another.
 *
 * @param clear names of pods
 * @param label the name of the leader's pod, if it is one of the election's and has no label yet
 */
public record LeaderMove(String namespace, String election, List<String> clear, Optional<String> label) {

    public LeaderMove {
        clear = List.copyOf(clear);
    }
}
