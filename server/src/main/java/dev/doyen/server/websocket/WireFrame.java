package dev.doyen.server.websocket;

import dev.doyen.hub.wire.Format;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;

/**
 * WebSocket frames as a server writes them: whole, unmasked, ready for any number of sockets. Source: RFC 6455 section 5.
 *
 * <p>Built once and shared: a header per socket and per message would cost as much again as the send itself.
 */
final class WireFrame {

    private static final int FINAL_TEXT = 0x81;
    private static final int FINAL_BINARY = 0x82;
    private static final int FINAL_PONG = 0x8A;
    private static final int MAX_SHORT_LENGTH = 125;
    private static final int MAX_TWO_BYTE_LENGTH = 0xFFFF;
    private static final int LENGTH_IN_TWO_BYTES = 126;
    private static final int LENGTH_IN_EIGHT_BYTES = 127;

    private WireFrame() {}

    /**
     * A protocol message's frame: text for JSON, binary for msgpack. In one piece outside the heap, from where sockets
     * write it as it is; of anything else each socket would make a copy first.
     */
    static ByteBuf message(byte[] payload, Format format) {
        int opcode = format == Format.JSON ? FINAL_TEXT : FINAL_BINARY;
        var header = header(opcode, payload.length);
        return ByteBufAllocator.DEFAULT
                .directBuffer(header.length + payload.length)
                .writeBytes(header)
                .writeBytes(payload);
    }

    /** A ping without a payload. */
    static ByteBuf ping() {
        return Unpooled.wrappedBuffer(new byte[] {(byte) 0x89, 0});
    }

    /** The answer to a ping: at most 125 bytes. */
    static ByteBuf pong(byte[] payload) {
        return Unpooled.wrappedBuffer(header(FINAL_PONG, payload.length), payload);
    }

    /** A close with code 1000. Other codes than this and 1001 make SDKs give up. */
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
