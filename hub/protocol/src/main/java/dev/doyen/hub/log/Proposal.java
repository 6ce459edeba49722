package dev.doyen.hub.log;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change for the log, with conditions that the log checks before it appends.
 *
 * <p>The log answers with the entry itself, or with the reason why it declines the proposal.
 *
 * @param number the number of the proposal, unique on this node; the log appends a repeated proposal only once
 * @param text the text of the entry
 * @param connectionId the connection that the change concerns; null if it concerns none
 * @param ownerNode the node that must have this connection; otherwise the log declines the proposal
 * @param msgSerial the serial of the frame, for which the log stores the answer; -1 if there is no frame
 * @param messages the number of messages that the entry publishes
 * @param channel the channel of the messages
 * @param ids the message ids that the sender chose; the log declines the proposal if one of these ids was already
 *     published
 * @param fences the terms of the claims; the log declines the proposal if a term is lower than the last term of its
 *     slot in the log
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

    /** A slot, as text, and the term in which the slot was granted. */
    public record Fence(String slot, long term) {}
}
