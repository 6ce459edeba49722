package dev.doyen.hub.server.console;

import org.jspecify.annotations.Nullable;

/**
 * A request that the hub has rejected.
 *
 * @param atMillis the time in milliseconds since the epoch
 * @param clientId the client; null if it was not known yet
 * @param channel the channel; null if the request had none
 */
record Refused(
        long atMillis, @Nullable String clientId, @Nullable String channel, int code, String sentence) {}
