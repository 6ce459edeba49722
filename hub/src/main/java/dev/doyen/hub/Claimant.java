package dev.doyen.hub;

/**
 * A channel member that claims, or holds, its channel's leadership.
 *
 * @param channel the election's name
 * @param clientId the lease's holder
 * @param connectionId the lease's incarnation (rule L10): the same client on another connection is another holder
 */
public record Claimant(String channel, String clientId, String connectionId) {}
