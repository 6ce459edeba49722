package dev.doyen.examples.feed;

import dev.doyen.LeaseLeadership;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds the only connection to the feed, and sends the lines to all receivers.
 *
 * <p>Only the leader does this work. The leader needs no checkpoint. Each receiver stores the number of the next line,
 * and the feed can send that line again.
 *
 * <p>Threads: {@link #run} runs on one thread, and {@link #serve} runs on one thread for each receiver.
 */
final class Holding {

    private static final int PAUSE_MILLIS = 100;

    private final LeaseLeadership leadership;
    private final InetSocketAddress feed;
    private final Window window;
    private @Nullable Wire current;

    Holding(LeaseLeadership leadership, InetSocketAddress feed, long first) {
        this.leadership = leadership;
        this.feed = feed;
        this.window = new Window(first);
    }

    /**
     * Receives lines from the feed until this process no longer leads.
     *
     * @throws IOException if this process cannot reach the feed; another process may be able to reach the feed
     */
    void run() throws IOException, InterruptedException {
        while (leadership.isCertain()) {
            try (Wire wire = connect()) {
                receive(wire);
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    /** Reads lines until the feed or {@link #reconnect} closes the connection. */
    private void receive(Wire wire) throws IOException {
        try {
            String line = wire.read();
            while (line != null && keep(wire, Line.parse(line))) {
                line = wire.read();
            }
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (AsynchronousCloseException e) {
            // The method reconnect has closed the connection.
        }
    }

    private synchronized Wire connect() throws IOException {
        current = Wire.request(feed, window.next());
        return current;
    }

    /** Stores a line. Returns false if the line is not from the latest connection. */
    private synchronized boolean keep(Wire wire, Line line) throws IOException {
        if (wire != current) {
            return false;
        }
        window.add(line);
        return true;
    }

    /**
     * Sends lines to a receiver, starting with the requested line.
     *
     * <p>The method returns if it detects that this process no longer leads.
     *
     * @throws IOException if the receiver has disconnected or its request is malformed
     * @throws InterruptedException if the thread is interrupted, for example by {@link Relay#hangUp}
     */
    void serve(Wire receiver) throws IOException, InterruptedException {
        long next = receiver.readRequest();
        while (leadership.isCertain()) {
            List<Line> lines = window.from(next);
            if (lines.isEmpty()) {
                reconnect(next);
            }
            List<TermLine> termLines = new ArrayList<>();
            lines.forEach(line -> termLines.add(new TermLine(leadership.term(), line)));
            // This process cannot detect that it was suspended between the check above and this write. Therefore each
            // line contains the term.
            receiver.write(termLines);
            next += lines.size();
        }
    }

    /**
     * Reconnects to the feed at line {@code number}, if this line is too old for the window. Receivers that already
     * have this line wait until the feed has caught up.
     */
    private synchronized void reconnect(long number) {
        if (window.isTooOld(number)) {
            window.restart(number);
            if (current != null) {
                current.close();
                current = null;
            }
        }
    }
}
