package dev.doyen.hub.server.websocket;

import dev.doyen.hub.auth.ClientIdentity;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.ProtocolMessage;
import org.jspecify.annotations.Nullable;

/**
 * Observes the frames and rejections of the hub without influencing the hub. The hub's thread calls the methods, which
 * must not block.
 */
public interface HubTap {

    /** Called with a frame from a client before the hub processes the frame. */
    default void received(ProtocolMessage frame) {}

    /**
     * Called with a frame that the hub sends to one client. The method is not called for the DISCONNECTED frame with
     * which the server itself ends a session.
     */
    default void sent(ProtocolMessage frame) {}

    /**
     * Called when the hub sends a client the reason for a rejection or close.
     *
     * @param address the client's address; empty if it is unknown
     * @param channel the channel of the rejected frame; null if the error concerns no channel, or an unknown channel
     */
    default void rejected(ClientIdentity client, String address, @Nullable String channel, ErrorInfo error) {}

    /**
     * Called when the hub answers a request with an error. {@link HubLoop#reportRejected} also calls this method.
     *
     * @param address the client's address; empty if it is unknown
     */
    default void rejectedRequest(String address, ErrorInfo error) {}

    /** Called with a frame to several clients. */
    default void fannedOut(int receivers, ProtocolMessage frame) {}
}
