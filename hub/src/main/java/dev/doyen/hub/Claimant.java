package dev.doyen.hub;

/**
 * A channel member that claims, or holds, a slot of its channel.
 *
 * @param clientId the lease's holder
 * @param connectionId the lease's incarnation (rule L10): the same client on another connection is another holder
 */
public record Claimant(String channel, Slot slot, String clientId, String connectionId) {

    /** Of the channel's leadership. */
    public Claimant(String channel, String clientId, String connectionId) {
        this(channel, Slot.LEADER, clientId, connectionId);
    }

    /** The election's name. */
    public String election() {
        return slot.electionOn(channel);
    }
}
