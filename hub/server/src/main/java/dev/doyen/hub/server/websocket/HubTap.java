package dev.doyen.hub.server.websocket;

import dev.doyen.hub.auth.ClientIdentity;
import dev.doyen.hub.wire.Action;
import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.ProtocolMessage;

/** Observes all traffic of the hub without influencing it. The hub's thread calls the methods, which must not block. */
public interface HubTap {

    /** Returns true if a frame with an error rejects an input. An error in CONNECTED or ATTACHED only informs. */
    static boolean isRejection(ProtocolMessage frame) {
        return frame.error() != null && frame.action() != Action.CONNECTED && frame.action() != Action.ATTACHED;
    }

    /** Called with a frame from a client before the hub processes the frame. */
    default void received(ProtocolMessage frame) {}

    /** Called with a frame to one client. */
    default void sent(ProtocolMessage frame) {}

    /**
     * Called after {@link #sent} if the frame contains an error.
     *
     * @param address the client's address; empty if it is unknown
     */
    default void sentError(ClientIdentity client, String address, ProtocolMessage frame) {}

    /**
     * Called after the hub has answered a request with an error.
     *
     * @param address the client's address; empty if it is unknown
     */
    default void refusedRequest(String address, ErrorInfo error) {}

    /** Called with a frame to several clients. */
    default void fannedOut(int receivers, ProtocolMessage frame) {}

    /** Called when all effects of the last input have been performed. */
    default void carriedOut() {}
}
