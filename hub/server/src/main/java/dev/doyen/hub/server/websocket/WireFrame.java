package dev.doyen.hub.server.websocket;

import dev.doyen.hub.wire.Format;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;

/**
 * Builds complete, unmasked WebSocket frames (RFC 6455, section 5) that many sockets can share.
 *
 * <p>A new header per socket and message would double the processor time for sending.
 */
final class WireFrame {

    private static final int FINAL_TEXT = 0x81;
    private static final int FINAL_BINARY = 0x82;
    private static final int FINAL_PING = 0x89;
    private static final int FINAL_PONG = 0x8A;
    private static final int MAX_SHORT_LENGTH = 125;
    private static final int MAX_TWO_BYTE_LENGTH = 0xFFFF;
    private static final int LENGTH_IN_TWO_BYTES = 126;
    private static final int LENGTH_IN_EIGHT_BYTES = 127;

    private WireFrame() {}

    /**
     * Builds the frame of a protocol message. JSON becomes a text frame, and msgpack becomes a binary frame.
     *
     * <p>The frame is one direct buffer, which sockets write without a copy. A socket would first copy any other kind
     * of buffer.
     */
    static ByteBuf message(byte[] payload, Format format) {
        int opcode = format == Format.JSON ? FINAL_TEXT : FINAL_BINARY;
        var header = header(opcode, payload.length);
        return ByteBufAllocator.DEFAULT
                .directBuffer(header.length + payload.length)
                .writeBytes(header)
                .writeBytes(payload);
    }

    /** Builds a ping without a payload. */
    static ByteBuf ping() {
        return Unpooled.wrappedBuffer(header(FINAL_PING, 0));
    }

    /** Builds a ping with at most 125 bytes. */
    static ByteBuf ping(byte[] payload) {
        return Unpooled.wrappedBuffer(header(FINAL_PING, payload.length), payload);
    }

    /** Builds a pong with at most 125 bytes. */
    static ByteBuf pong(byte[] payload) {
        return Unpooled.wrappedBuffer(header(FINAL_PONG, payload.length), payload);
    }

    /** Builds a close frame with code 1000. SDKs stop after codes other than 1000 and 1001. */
    static ByteBuf close() {
        return Unpooled.wrappedBuffer(new byte[] {(byte) 0x88, 2, 0x03, (byte) 0xE8});
    }

    private static byte[] header(int opcode, int length) {
        if (length <= MAX_SHORT_LENGTH) {
            return new byte[] {(byte) opcode, (byte) length};
        }
        if (length <= MAX_TWO_BYTE_LENGTH) {
            return new byte[] {(byte) opcode, LENGTH_IN_TWO_BYTES, (byte) (length >> 8), (byte) length};
        }
        return new byte[] {
            (byte) opcode,
            LENGTH_IN_EIGHT_BYTES,
            0,
            0,
            0,
            0,
            (byte) (length >> 24),
            (byte) (length >> 16),
            (byte) (length >> 8),
            (byte) length
        };
    }
}
