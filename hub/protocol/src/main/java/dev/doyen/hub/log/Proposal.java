package dev.doyen.hub.log;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change for the log, with conditions that must hold when it is appended.
 *
 * <p>The log answers with the entry itself or with the reason for declining it.
 *
 * @param number unique on this node; the log appends a repeated proposal once
 * @param text the entry
 * @param connectionId the connection that the change concerns; null for none
 * @param ownerNode the node that must have this connection, else the log declines
 * @param msgSerial the serial of the frame, whose answer the log stores for a resume; -1 for none
 * @param messages number of messages that the entry publishes
 * @param channel the channel of the messages
 * @param ids the message ids that the sender chose; none may have been published before
 * @param fences terms that must not be lower than the last one in the log
 */
public record Proposal(
        long number,
        String text,
        @Nullable String connectionId,
        String ownerNode,
        long msgSerial,
        int messages,
        String channel,
        List<String> ids,
        List<Fence> fences) {
    public Proposal {
        ids = List.copyOf(ids);
        fences = List.copyOf(fences);
    }

    /** A slot, as text, and the term in which it was granted. */
    public record Fence(String slot, long term) {}
}
