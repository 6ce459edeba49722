package dev.doyen.hub.server.console;

import org.jspecify.annotations.Nullable;

/**
 * A request that the hub has rejected.
 *
 * @param atMillis the time in milliseconds since the epoch
 * @param clientId the client id; null if there is none
 * @param channel the channel; null if the request names no channel
 */
record Refused(
        long atMillis, @Nullable String clientId, @Nullable String channel, int code, String sentence) {}
