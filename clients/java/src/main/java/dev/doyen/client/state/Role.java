package dev.doyen.client.state;

/** This process's role in its election, as far as the client knows. */
public enum Role {
    /** The elector names this process, and the answer is fresh. */
    LEADING,
    /** The elector names another process, or no leader. */
    FOLLOWING,
    /** There is no answer yet, or it is outdated. */
    UNKNOWN
}
