package dev.doyen.hub.log;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result of joining the other nodes.
 *
 * @param node the name of this node, never used before
 * @param series distinguishes this log from an earlier one that was lost
 * @param position where the node joined; it reads later entries next
 * @param past the remaining earlier entries
 * @param snapshot another node's snapshot at that position; null if there is no other node
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
