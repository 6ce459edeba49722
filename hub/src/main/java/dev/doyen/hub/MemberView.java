package dev.doyen.hub;

/**
 * A member as it is shown to people.
 *
 * @param leads whether it holds its channel's leadership, or another slot
 */
public record MemberView(String clientId, String connectionId, boolean leads) {}
