package dev.doyen.hub.wire;

import org.jspecify.annotations.Nullable;

/**
 * What CONNECTED tells a client about its connection. Units: bytes, milliseconds, messages per second.
 *
 * @param clientId the connection's identity; {@code *} may act as anybody; null is anonymous
 * @param connectionKey what resumes the connection; a secret of this client
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

    /** Without the connection key, which resumes the connection and so must not be printed. */
    @Override
    public String toString() {
        return "ConnectionDetails[clientId=" + clientId + ", serverId=" + serverId + ", connectionStateTtl="
                + connectionStateTtl + ", maxIdleInterval=" + maxIdleInterval + "]";
    }
}
