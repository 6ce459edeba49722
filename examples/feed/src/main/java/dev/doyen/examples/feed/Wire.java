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
 * <p>The client sends {@code FROM number} and receives the lines from that number on. The holder uses it with the feed,
 * and the receivers use it with the holder. Threads: one reads, one writes; any may close.
 */
final class Wire implements AutoCloseable {

    /** Limit for a line, so that a peer which sends no line ends cannot fill the memory. */
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

    /** Connects, and asks for the lines from {@code number} on. */
    static Wire ask(InetSocketAddress address, long number) throws IOException {
        // Uses a channel's socket, because an interrupt ends a read of it. A plain socket would read on.
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

    /** Returns the number of the first line that the peer asks for. */
    long asked() throws IOException {
        String line = read();
        if (line == null || !line.matches(FROM + "\\d{1,18}")) {
            throw new IOException("\"" + line + "\" was said where FROM and a line's number was to come");
        }
        return Long.parseLong(line.substring(FROM.length()));
    }

    /** Waits for a line. Null at the end of the stream, also after an incomplete line. */
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
            // It is closed, which is the intention.
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
