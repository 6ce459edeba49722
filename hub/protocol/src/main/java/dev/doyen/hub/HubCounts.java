package dev.doyen.hub;

/**
 * The numbers of connections, channels and members of a hub.
 *
 * @param connections the number of connections with and without a socket
 * @param sockets the number of connections with a socket
 * @param maxConnections the maximum of {@code connections}
 * @param channels the number of channels of this node
 * @param members the number of members of all channels; each node of a hub stores the members of all nodes
 */
public record HubCounts(int connections, int sockets, int maxConnections, int channels, int members) {}
