package dev.doyen.hub.wire;

import org.jspecify.annotations.Nullable;

/**
 * Details of a connection in CONNECTED. Units: bytes, milliseconds, messages per second.
 *
 * @param clientId the connection's client; {@code *} for any, null for none
 * @param connectionKey resumes the connection; a secret of this client
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

    /** Omits the connection key, because it is a secret. */
    @Override
    public String toString() {
        return "ConnectionDetails[clientId=" + clientId + ", serverId=" + serverId + ", connectionStateTtl="
                + connectionStateTtl + ", maxIdleInterval=" + maxIdleInterval + "]";
    }
}
