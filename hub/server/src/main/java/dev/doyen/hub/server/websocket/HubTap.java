package dev.doyen.hub.server.websocket;

import dev.doyen.hub.wire.ErrorInfo;
import dev.doyen.hub.wire.ProtocolMessage;
import org.jspecify.annotations.Nullable;

/** Observes all traffic of the hub without influencing it. Threads: the hub's; it must not block. */
public interface HubTap {

    /** Observes nothing. */
    HubTap NONE = new HubTap() {};

    /** A frame from a client, before the hub processes it. */
    default void received(ProtocolMessage frame) {}

    /** A frame to one client. */
    default void sent(ProtocolMessage frame) {}

    /** A frame to one client with an error, after {@link #sent}; the id is null if its socket has no connection. */
    default void sentError(@Nullable String clientId, ProtocolMessage frame) {}

    /** A request that was answered with an error. */
    default void refusedRequest(ErrorInfo error) {}

    /** A frame to several clients. */
    default void fannedOut(int receivers, ProtocolMessage frame) {}

    /** All effects of the last input are carried out. */
    default void carriedOut() {}
}
