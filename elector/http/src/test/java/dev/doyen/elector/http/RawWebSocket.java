package dev.doyen.elector.http;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** A WebSocket client that builds the bytes of its frames itself. */
public final class RawWebSocket implements Closeable {

    public static final int TEXT = 1;
    public static final int BINARY = 2;
    public static final int CLOSE = 8;
    public static final int PING = 9;
    public static final int PONG = 10;

    private final RawSocket socket;

    /** A received frame. */
    @SuppressWarnings("ArrayRecordComponent")
    public record Frame(int opcode, byte[] payload) {
        public String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }

        public int closeCode() {
            return ByteBuffer.wrap(payload).getShort();
        }
    }

    public RawWebSocket(InetSocketAddress address, String query) throws IOException {
        this(address, query, 0);
    }

    public RawWebSocket(InetSocketAddress address, String query, int receiveBufferBytes) throws IOException {
        socket = new RawSocket(address, receiveBufferBytes);
        socket.send(handshake("/" + query));
        var head = socket.readThrough("\r\n\r\n");
        if (!head.startsWith("HTTP/1.1 101 ")) {
            throw new IOException("the server did not upgrade the connection: " + head);
        }
    }

    public static String handshake(String target) {
        return "GET " + target + " HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";
    }

    public RawWebSocket send(String text) throws IOException {
        return sendFrame(0x80 | TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    public RawWebSocket sendBinary(byte[] bytes) throws IOException {
        return sendFrame(0x80 | BINARY, bytes);
    }

    /**
     * Sends one masked frame.
     *
     * @param first the first byte of the frame: the final bit and the opcode
     */
    public RawWebSocket sendFrame(int first, byte[] payload) throws IOException {
        socket.send(frame(first, payload));
        return this;
    }

    /** Builds one masked frame. The mask is zero, so the masked payload equals the payload. */
    public static byte[] frame(int first, byte[] payload) {
        var out = new ByteArrayOutputStream();
        out.write(first);
        if (payload.length < 126) {
            out.write(0x80 | payload.length);
        } else if (payload.length <= 0xFFFF) {
            out.write(0x80 | 126);
            out.writeBytes(
                    ByteBuffer.allocate(2).putShort((short) payload.length).array());
        } else {
            out.write(0x80 | 127);
            out.writeBytes(ByteBuffer.allocate(8).putLong(payload.length).array());
        }
        out.writeBytes(new byte[4]);
        out.writeBytes(payload);
        return out.toByteArray();
    }

    public RawWebSocket sendRaw(byte[] bytes) throws IOException {
        socket.send(bytes);
        return this;
    }

    /** Returns the next frame, which can be a ping. */
    public Frame readAnyFrame() throws IOException {
        int opcode = socket.readByte() & 0x0F;
        long length = socket.readByte() & 0x7F;
        if (length == 126) {
            length = ByteBuffer.wrap(socket.readBytes(2)).getShort() & 0xFFFF;
        } else if (length == 127) {
            length = ByteBuffer.wrap(socket.readBytes(8)).getLong();
        }
        return new Frame(opcode, socket.readBytes((int) length));
    }

    /** Returns the next frame that is not a ping. */
    public Frame read() throws IOException {
        var frame = readAnyFrame();
        while (frame.opcode() == PING) {
            frame = readAnyFrame();
        }
        return frame;
    }

    /** Returns the next frame that is not a ping, and answers each ping before that frame. */
    public Frame readAndAnswerPings() throws IOException {
        var frame = readAnyFrame();
        while (frame.opcode() == PING) {
            sendFrame(0x80 | PONG, frame.payload());
            frame = readAnyFrame();
        }
        return frame;
    }

    /** Waits until the server closes the socket. */
    public void readEnd() throws IOException {
        socket.readAll();
    }

    public void vanish() throws IOException {
        socket.vanish();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
