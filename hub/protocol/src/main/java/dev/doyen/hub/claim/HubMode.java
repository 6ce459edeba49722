package dev.doyen.hub.claim;

/** The mode of a hub: a single hub, or one of several nodes. */
public enum HubMode {
    /** A single hub. */
    NONE,
    /** One of several nodes. */
    NODES
}
