package dev.doyen.hub;

/** Whether a hub runs alone or as one of several nodes. */
enum HubMode {
    NONE,
    NODES
}
