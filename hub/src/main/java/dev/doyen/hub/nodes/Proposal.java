package dev.doyen.hub.nodes;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change that is to go into the log, if what is asked here holds at that moment. The log answers with the entry itself, or
 * says why not.
 *
 * @param number unlike any other of this node's; a proposal that comes twice is taken once
 * @param text the entry
 * @param connectionId whose change it is; null if no connection's
 * @param ownerNode at which that connection must be, or the change is refused
 * @param msgSerial of the frame, whose answer is kept for who resumes; -1 if there is none
 * @param messages how many messages the entry publishes
 * @param channel on which
 * @param ids that its messages were given by their sender, if it gave any: none may have been published before
 * @param fences terms that must not be lower than what went into the log before
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

    /** A slot, as text, and a term in which it was granted. */
    public record Fence(String slot, long term) {}
}
