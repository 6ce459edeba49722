package dev.doyen.hub.server.websocket;

import dev.doyen.hub.wire.Format;
import dev.doyen.hub.wire.ProtocolMessage;

/**
 * Encodes messages: the part of the codec that the hub's loop uses. Threads: any.
 *
 * <p>Tests replace it to count the calls.
 */
interface FrameEncoder {
    byte[] encode(ProtocolMessage message, Format format);
}
