package dev.doyen.examples.feed;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A feed to try out the example. The feed sends numbered prices at a given rate.
 *
 * <p>The feed allows only one connection; a second connection replaces the first one. The feed listens on this
 * machine only.
 */
public final class Feed implements AutoCloseable {

    private static final int PAUSE_MILLIS = 5;
    private static final int MAX_AT_ONCE = 500;
    private static final int MAX_PER_SECOND = 10_000;

    private final ServerSocket server;
    private final int perSecond;
    private final long begun = System.nanoTime();
    private long last = Long.MAX_VALUE;
    private volatile long sent;
    private @Nullable Wire session;

    /**
     * Starts the feed.
     *
     * @param port the port to listen on; 0 for any free port
     */
    Feed(int port, int perSecond) throws IOException {
        if (perSecond < 1 || perSecond > MAX_PER_SECOND) {
            throw new IllegalArgumentException(
                    perSecond + " lines a second were asked for; 1 to " + MAX_PER_SECOND + " can be sent");
        }
        this.server = new ServerSocket(port, 0, InetAddress.getLoopbackAddress());
        this.perSecond = perSecond;
        var acceptor = new Thread(this::accept, "feed");
        acceptor.setDaemon(true);
        acceptor.start();
    }

    /** Runs a feed. The arguments are the port and the number of lines per second. */
    public static void main(String[] arguments) throws Exception {
        if (arguments.length != 2) {
            System.err.println("usage: java -cp feed.jar dev.doyen.examples.feed.Feed PORT LINES-PER-SECOND");
            System.exit(2);
        }
        try (Feed feed = new Feed(Integer.parseInt(arguments[0]), Integer.parseInt(arguments[1]))) {
            System.out.println("sends from " + feed.address());
            Thread.currentThread().join();
        }
    }

    InetSocketAddress address() {
        return new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
    }

    /** Returns the number of sent lines, including repeated lines. */
    long sent() {
        return sent;
    }

    /** Ends the feed after the available lines, and returns the number of the last line. */
    synchronized long end() {
        last = available();
        return last;
    }

    /** Returns the line with this number. The line of a number never changes, so the feed can send it again. */
    static Line line(long number) {
        return new Line(number, "EURUSD 1." + (1000 + number * 37 % 1000));
    }

    private synchronized long available() {
        return Math.min(last, (System.nanoTime() - begun) / (1_000_000_000 / perSecond));
    }

    private void accept() {
        try {
            while (true) {
                begin(new Wire(server.accept()));
            }
        } catch (IOException e) {
            // The server was closed.
        }
    }

    private synchronized void begin(Wire wire) {
        if (session != null) {
            session.close();
        }
        session = wire;
        var sender = new Thread(() -> send(wire), "session");
        sender.setDaemon(true);
        sender.start();
    }

    private void send(Wire wire) {
        try (wire) {
            long next = wire.readRequest();
            while (true) {
                List<Line> lines = new ArrayList<>();
                for (long end = Math.min(available(), next + MAX_AT_ONCE); next <= end; next++) {
                    lines.add(line(next));
                }
                wire.write(lines);
                note(lines.size());
                Thread.sleep(PAUSE_MILLIS);
            }
        } catch (IOException e) {
            // The client has disconnected, or a second connection has replaced this connection.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized void note(int lines) {
        sent += lines;
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
