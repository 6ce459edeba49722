package dev.doyen.server.websocket;

import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.ProtocolMessage;
import org.jspecify.annotations.Nullable;

/** Sees what goes through the hub, and decides nothing. Threads: the hub's; it must not block. */
public interface HubTap {

    /** Looks at nothing. */
    HubTap NONE = new HubTap() {};

    /** A client's frame, before the hub has seen it. */
    default void received(ProtocolMessage frame) {}

    /** A frame to one client. */
    default void sent(ProtocolMessage frame) {}

    /** A frame to one client that carries an error, after {@link #sent}; null if its socket has no connection. */
    default void sentError(@Nullable String clientId, ProtocolMessage frame) {}

    /** A request that was answered with an error. */
    default void refusedRequest(ErrorInfo error) {}

    /** A frame to many. */
    default void fannedOut(int receivers, ProtocolMessage frame) {}

    /** All that followed from the last input is done. */
    default void carriedOut() {}
}
