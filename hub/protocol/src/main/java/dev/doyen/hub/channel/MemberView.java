package dev.doyen.hub.channel;

/**
 * The data about a member that the console shows.
 *
 * @param leads true if the member holds a slot of the channel through a connection at this node
 */
public record MemberView(String clientId, String connectionId, boolean leads) {}
