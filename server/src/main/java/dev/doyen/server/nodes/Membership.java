package dev.doyen.server.nodes;

/** As whom this hub is one of the nodes, for as long as it is. */
record Membership(String node, String series) {}
