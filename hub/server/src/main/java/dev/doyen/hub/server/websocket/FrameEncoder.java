package dev.doyen.hub.server.websocket;

import dev.doyen.hub.wire.Format;
import dev.doyen.hub.wire.ProtocolMessage;

/**
 * Encodes messages for the hub's loop. Any thread may call the encoder.
 *
 * <p>Tests replace the encoder to count its calls.
 */
interface FrameEncoder {
    byte[] encode(ProtocolMessage message, Format format);
}
