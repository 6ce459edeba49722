package dev.doyen.hub.server.nodes;

/**
 * The identity of this hub during one membership in the group of nodes.
 *
 * @param series the id of the nodes' shared log; the id changes if Redis has lost entries of the log
 */
record Membership(String node, String series) {}
