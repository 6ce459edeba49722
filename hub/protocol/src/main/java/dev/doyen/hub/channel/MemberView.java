package dev.doyen.hub.channel;

/**
 * A member as the console shows it.
 *
 * @param leads whether the member holds a slot of the channel
 */
public record MemberView(String clientId, String connectionId, boolean leads) {}
