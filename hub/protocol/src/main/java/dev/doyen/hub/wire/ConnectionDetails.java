package dev.doyen.hub.wire;

import org.jspecify.annotations.Nullable;

/**
 * The details of a connection in CONNECTED. Sizes are in bytes, times in milliseconds, and rates in messages per
 * second.
 *
 * @param clientId the connection's client id; {@code *} if every client id is allowed, null if there is none
 * @param connectionKey the key that resumes the connection; a secret of this client
 */
public record ConnectionDetails(
        @Nullable String clientId,
        @Nullable String connectionKey,
        int maxMessageSize,
        int maxFrameSize,
        int maxInboundRate,
        @Nullable String serverId,
        long connectionStateTtl,
        long maxIdleInterval) {

    /** Returns a text without the connection key, because the key is a secret. */
    @Override
    public String toString() {
        return "ConnectionDetails[clientId=" + clientId + ", serverId=" + serverId + ", connectionStateTtl="
                + connectionStateTtl + ", maxIdleInterval=" + maxIdleInterval + "]";
    }
}
