package dev.doyen.examples.feed;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A TCP connection that carries lines.
 *
 * <p>The client sends {@code FROM number} and receives all lines from that line number on. The holder connects to
 * the feed, and the receivers connect to the holder. Threads: one thread reads and one thread writes. Any thread may
 * close the connection.
 */
final class Wire implements AutoCloseable {

    /** The maximum length of a line. The limit prevents a peer that sends no line ends from filling the memory. */
    static final int MAX_LINE_CHARS = 16 * 1024;

    private static final int CONNECT_MILLIS = 2000;
    private static final String FROM = "FROM ";

    private final Socket socket;
    private final BufferedReader in;
    private final Writer out;

    Wire(Socket socket) throws IOException {
        this.socket = socket;
        this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        this.out = new OutputStreamWriter(socket.getOutputStream(), StandardCharsets.UTF_8);
    }

    /** Connects, and requests all lines from line {@code number} on. */
    static Wire request(InetSocketAddress address, long number) throws IOException {
        // The socket belongs to a channel, because an interrupt ends a read from such a socket. A plain socket would
        // continue to read.
        Socket socket = SocketChannel.open().socket();
        try {
            socket.connect(address, CONNECT_MILLIS);
            var wire = new Wire(socket);
            wire.write(List.of(FROM + number));
            return wire;
        } catch (IOException e) {
            socket.close();
            throw e;
        }
    }

    /** Returns the number of the first line that the peer requests. */
    long readRequest() throws IOException {
        String line = read();
        if (line == null || !line.matches(FROM + "\\d{1,18}")) {
            throw new IOException("\"" + line + "\" was received instead of FROM and the number of a line");
        }
        return Long.parseLong(line.substring(FROM.length()));
    }

    /** Waits for a line and returns it. Returns null at the end of the stream, even after an incomplete line. */
    @Nullable
    String read() throws IOException {
        var line = new StringBuilder();
        for (int each = in.read(); each >= 0; each = in.read()) {
            if (each == '\n') {
                return line.toString();
            }
            if (line.length() == MAX_LINE_CHARS) {
                throw new IOException("a line is longer than " + MAX_LINE_CHARS + " characters; is this a feed?");
            }
            line.append((char) each);
        }
        return null;
    }

    void write(List<?> lines) throws IOException {
        for (Object line : lines) {
            out.write(line + "\n");
        }
        out.flush();
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException e) {
            // The exception is ignored, because the connection is closed in any case.
        }
    }

    /** Parses {@code host:port}. */
    static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 1 || !text.substring(colon + 1).matches("\\d{1,5}")) {
            throw new IllegalArgumentException("\"" + text + "\" is no address; write host:port");
        }
        return new InetSocketAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }
}
