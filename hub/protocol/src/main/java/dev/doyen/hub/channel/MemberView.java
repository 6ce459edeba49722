package dev.doyen.hub.channel;

/**
 * The view of a member that the console shows.
 *
 * @param leads true if the member holds a slot of the channel
 */
public record MemberView(String clientId, String connectionId, boolean leads) {}
