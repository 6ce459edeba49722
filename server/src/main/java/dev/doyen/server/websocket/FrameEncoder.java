package dev.doyen.server.websocket;

import dev.doyen.hub.wire.Format;
import dev.doyen.hub.wire.ProtocolMessage;

/** Makes bytes of messages: the codec's part that the loop needs. Tests count by it. Threads: any. */
interface FrameEncoder {
    byte[] encode(ProtocolMessage message, Format format);
}
