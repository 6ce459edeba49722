package dev.doyen.elector.http;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/** A TCP client that can send malformed bytes. All reads have a time limit. */
public final class RawSocket implements Closeable {

    private static final int READ_MILLIS = 60_000;

    private final Socket socket = new Socket();

    public RawSocket(InetSocketAddress address) throws IOException {
        this(address, 0);
    }

    /** Connects with a receive buffer of about this size, to simulate a peer that reads slowly. */
    public RawSocket(InetSocketAddress address, int receiveBufferBytes) throws IOException {
        if (receiveBufferBytes > 0) {
            socket.setReceiveBufferSize(receiveBufferBytes);
        }
        socket.setSoTimeout(READ_MILLIS);
        socket.setTcpNoDelay(true);
        socket.connect(address);
    }

    public RawSocket send(String text) throws IOException {
        return send(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    public RawSocket send(byte[] bytes) throws IOException {
        socket.getOutputStream().write(bytes);
        return this;
    }

    /**
     * Reads up to and including {@code end}. Fails after {@value #READ_MILLIS} ms, even if a stream still sends
     * keep-alive comments.
     */
    public String readThrough(String end) throws IOException {
        long giveUp = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(READ_MILLIS);
        var read = new ByteArrayOutputStream();
        while (!read.toString(StandardCharsets.UTF_8).endsWith(end)) {
            if (System.nanoTime() - giveUp > 0) {
                throw new SocketTimeoutException("\"" + end + "\" did not arrive within " + READ_MILLIS
                        + " ms; received: " + read.toString(StandardCharsets.UTF_8));
            }
            read.write(readByte());
        }
        return read.toString(StandardCharsets.UTF_8);
    }

    /** Reads the head and the body of a response that has a Content-Length. */
    public String readResponse() throws IOException {
        var head = readThrough("\r\n\r\n");
        var length = head.lines()
                .filter(line -> line.toLowerCase(java.util.Locale.ROOT).startsWith("content-length:"))
                .mapToInt(line ->
                        Integer.parseInt(line.substring(line.indexOf(':') + 1).strip()))
                .findFirst()
                .orElse(0);
        return head + new String(readBytes(length), StandardCharsets.UTF_8);
    }

    public byte[] readBytes(int length) throws IOException {
        var bytes = socket.getInputStream().readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("the server closed after " + bytes.length + " of " + length + " bytes");
        }
        return bytes;
    }

    public int readByte() throws IOException {
        int next = socket.getInputStream().read();
        if (next < 0) {
            throw new EOFException("the server closed");
        }
        return next;
    }

    /** Reads until the server closes or resets the connection. */
    public String readAll() throws IOException {
        try {
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (java.net.SocketException reset) {
            return "";
        }
    }

    /** Closes the connection with a reset. */
    public void vanish() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
