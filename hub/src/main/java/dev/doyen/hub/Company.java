package dev.doyen.hub;

/** Whether a hub is by itself, or one node of several. */
enum Company {
    NONE,
    NODES
}
