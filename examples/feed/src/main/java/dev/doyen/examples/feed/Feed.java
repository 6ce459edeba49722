package dev.doyen.examples.feed;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A feed for trying out the example. It sends numbered prices at a given rate.
 *
 * <p>It allows only one connection: a second one replaces the first. It listens on this machine only.
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

    /** @param port 0 for any free port */
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

    /** Arguments: the port, and the number of lines per second. */
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

    /** Returns how many lines were sent, including repeated ones. */
    long sent() {
        return sent;
    }

    /** Stops after the present last line, and returns its number. */
    synchronized long end() {
        last = available();
        return last;
    }

    /** Returns the line with this number. It is always the same, so that the feed can send it again. */
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
            long next = wire.asked();
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
            // The holder has died, or another has connected.
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
