package dev.doyen.hub.claim;

/** Whether a hub runs alone or as one of several nodes. */
public enum HubMode {
    NONE,
    NODES
}
