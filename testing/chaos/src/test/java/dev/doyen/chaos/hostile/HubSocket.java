package dev.doyen.chaos.hostile;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A WebSocket to the hub with text frames. One thread may read while another thread writes. */
final class HubSocket implements Closeable {

    private static final int TEXT = 0x81;
    private static final int PING = 0x9;
    private static final int PONG = 0x8A;
    private static final int CLOSE = 0x8;

    private final Socket socket;
    private final DataInputStream in;
    private final OutputStream out;

    /**
     * Opens the socket.
     *
     * @param from the local address, which the hub treats as the client's address
     * @param token the token of the client
     */
    HubSocket(InetSocketAddress hub, String from, String token) throws IOException {
        socket = open(hub, from);
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream()));
        out = socket.getOutputStream();
        String request = "GET /?v=4&format=json&access_token=" + token
                + " HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";
        out.write(request.getBytes(StandardCharsets.US_ASCII));
        String head = head();
        if (!head.startsWith("HTTP/1.1 101 ")) {
            socket.close();
            throw new IOException("no WebSocket: " + head.lines().findFirst().orElse(""));
        }
    }

    /** Opens a plain socket from a local address. */
    static Socket open(InetSocketAddress to, String from) throws IOException {
        var socket = new Socket();
        try {
            socket.setReuseAddress(true);
            socket.setTcpNoDelay(true);
            socket.bind(new InetSocketAddress(from, 0));
            socket.connect(to, 60_000);
            socket.setSoTimeout(60_000);
            return socket;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    private String head() throws IOException {
        var head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        return head.toString();
    }

    synchronized void send(String text) throws IOException {
        sendFrame(TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    private void sendFrame(int first, byte[] payload) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(payload.length + 14).put((byte) first);
        if (payload.length < 126) {
            frame.put((byte) (0x80 | payload.length));
        } else if (payload.length <= 0xFFFF) {
            frame.put((byte) (0x80 | 126)).putShort((short) payload.length);
        } else {
            frame.put((byte) (0x80 | 127)).putLong(payload.length);
        }
        // The mask is zero, so the masked payload equals the payload.
        frame.putInt(0).put(payload);
        out.write(Arrays.copyOf(frame.array(), frame.position()));
    }

    /** Returns the next text frame, and answers pings. Throws {@link IOException} when the socket closes. */
    String read() throws IOException {
        while (true) {
            int opcode = in.readUnsignedByte() & 0x0F;
            long length = in.readUnsignedByte() & 0x7F;
            if (length == 126) {
                length = in.readUnsignedShort();
            } else if (length == 127) {
                length = in.readLong();
            }
            byte[] payload = new byte[Math.toIntExact(length)];
            in.readFully(payload);
            if (opcode == PING) {
                synchronized (this) {
                    sendFrame(PONG, payload);
                }
            } else if (opcode == CLOSE) {
                throw new IOException("the hub closed the socket");
            } else {
                return new String(payload, StandardCharsets.UTF_8);
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
