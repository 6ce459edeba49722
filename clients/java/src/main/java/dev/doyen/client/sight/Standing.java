package dev.doyen.client.sight;

/** Where this process stands in its election. */
public enum Standing {
    /** The elector names this process, and said so within the bound. */
    LEADING,
    /** The elector names another, or nobody. */
    FOLLOWING,
    /** Nothing was heard yet, or not within the bound. */
    UNKNOWN
}
