package dev.doyen.hub.step;

import dev.doyen.hub.settings.Slot;

/**
 * A channel member that claims or holds a slot.
 *
 * <p>Two claimants of the same member can differ in their attempt. The store can grant or reject a claim that the hub
 * has just released. The attempt distinguishes this late outcome from the outcome of the member's next claim.
 *
 * @param clientId the client id, which is the holder in the lease record
 * @param connectionId the connection id, which is the incarnation in the lease record (rule L10); another connection is
 *     another holder
 * @param attempt the number of the attempt to acquire the lease, which is not part of the lease record; rises each time
 *     the hub releases a claim before it receives the outcome
 */
public record Claimant(String channel, Slot slot, String clientId, String connectionId, long attempt) {

    /** Creates a claimant in the first attempt. */
    public Claimant(String channel, Slot slot, String clientId, String connectionId) {
        this(channel, slot, clientId, connectionId, 0);
    }

    /** Creates a claimant of the leader slot in the first attempt. */
    public Claimant(String channel, String clientId, String connectionId) {
        this(channel, Slot.LEADER, clientId, connectionId);
    }

    /** Returns the name of the election. */
    public String election() {
        return slot.electionOn(channel);
    }
}
