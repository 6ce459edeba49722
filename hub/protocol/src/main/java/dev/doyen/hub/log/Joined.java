package dev.doyen.hub.log;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The data that this node receives when it joins the other nodes.
 *
 * @param node the name of this node, which no node has used before
 * @param series the name of this log; if the log is lost, its replacement has another name
 * @param position the position at which the node joined; the node reads later entries next
 * @param past the entries before that position that the log still contains
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
