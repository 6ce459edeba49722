package dev.doyen.client.state;

/**
 * The last known role of this process in its election. With {@link WhenUnknown#KEEP}, an outdated answer counts as
 * fresh.
 */
public enum Role {
    /** A fresh answer of the elector contains this process as the leader. */
    LEADING,
    /** A fresh answer of the elector contains another leader or no leader. */
    FOLLOWING,
    /** The client has no answer yet, the last answer is outdated, or a replayed answer is not confirmed yet. */
    UNKNOWN
}
