package dev.doyen.client.state;

/** The last known role of this process in its election. */
public enum Role {
    /** A fresh answer of the elector contains this process as the leader. */
    LEADING,
    /** A fresh answer of the elector contains another leader or no leader. */
    FOLLOWING,
    /** The client has no answer yet, or the last answer is outdated. */
    UNKNOWN
}
