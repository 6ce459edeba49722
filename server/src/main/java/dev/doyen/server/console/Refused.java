package dev.doyen.server.console;

import org.jspecify.annotations.Nullable;

/**
 * One thing that the hub refused.
 *
 * @param atMillis when, in milliseconds since the epoch
 * @param clientId whom; null if it was nobody yet
 * @param channel on which channel; null if on none
 */
record Refused(
        long atMillis, @Nullable String clientId, @Nullable String channel, int code, String sentence) {}
