package dev.doyen.hub.server.nodes;

/** The identity of this hub during one membership in the group of nodes. */
record Membership(String node, String series) {}
