package dev.doyen.hub.nodes;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * This node is one of the hub's now.
 *
 * @param node what it is called, never used before
 * @param series tells this life of the log from others
 * @param position where it joined; what it reads next comes after
 * @param past the entries before, as far back as there are any
 * @param snapshot what another node knew at that position; null if there is no other
 */
public record Joined(
        String node,
        String series,
        LogPosition position,
        List<Logged> past,
        @Nullable String snapshot) {
    public Joined {
        past = List.copyOf(past);
    }
}
