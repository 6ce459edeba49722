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
 * A TCP connection on which lines go. Who connects says {@code FROM number}, and hears the lines from there on; so it is
 * between feed and holder, and between holder and the others. Threads: one reads, one writes; any may close.
 */
final class Wire implements AutoCloseable {

    /** Whoever sends no line ends must not fill the memory. */
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
        // A channel's socket, for an interrupt ends its reading; in a plain one the thread would read on.
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

    /** Which line the other side asks for first. */
    long asked() throws IOException {
        String line = read();
        if (line == null || !line.matches(FROM + "\\d{1,18}")) {
            throw new IOException("\"" + line + "\" was said where FROM and a line's number was to come");
        }
        return Long.parseLong(line.substring(FROM.length()));
    }

    /** Waits for a line; null at the end, and for half a line before it. */
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
            // It is gone, which is what was wanted.
        }
    }

    /** {@code host:port}. */
    static InetSocketAddress address(String text) {
        int colon = text.lastIndexOf(':');
        if (colon < 1 || !text.substring(colon + 1).matches("\\d{1,5}")) {
            throw new IllegalArgumentException("\"" + text + "\" is no address; write host:port");
        }
        return new InetSocketAddress(text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }
}
