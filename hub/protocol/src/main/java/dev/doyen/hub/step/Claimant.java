package dev.doyen.hub.step;

import dev.doyen.hub.settings.Slot;

/**
 * A channel member that claims or holds a slot.
 *
 * @param clientId the client id, which is the holder in the lease record
 * @param connectionId the connection id, which is the incarnation in the lease record (rule L10); another connection is
 *     another holder
 */
public record Claimant(String channel, Slot slot, String clientId, String connectionId) {

    /** Creates a claimant of the leader slot. */
    public Claimant(String channel, String clientId, String connectionId) {
        this(channel, Slot.LEADER, clientId, connectionId);
    }

    /** Returns the name of the election. */
    public String election() {
        return slot.electionOn(channel);
    }
}
