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
 * The leader's work: holds the only connection to the feed and passes the lines on.
 *
 * <p>It needs no checkpoint, because each receiver knows which line it needs next, and the feed can send that line
 * again.
 *
 * <p>Threads: {@link #run} on one, {@link #serve} on one for each receiver.
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
     * Returns when this process does not lead any more.
     *
     * @throws IOException if the feed cannot be reached. Another process may reach it
     */
    void run() throws IOException, InterruptedException {
        while (leadership.isCertain()) {
            try (Wire wire = ask()) {
                hear(wire);
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    /** Returns when the feed closes the connection, or when another connection replaces it. */
    private void hear(Wire wire) throws IOException {
        try {
            String line = wire.read();
            while (line != null && keep(wire, Line.parse(line))) {
                line = wire.read();
            }
        } catch (ClosedByInterruptException e) {
            throw e;
        } catch (AsynchronousCloseException e) {
            // Closed in askAgain.
        }
    }

    private synchronized Wire ask() throws IOException {
        current = Wire.ask(feed, window.next());
        return current;
    }

    /** Returns false if this is not the latest connection. */
    private synchronized boolean keep(Wire wire, Line line) throws IOException {
        if (wire != current) {
            return false;
        }
        window.add(line);
        return true;
    }

    /**
     * Sends lines to a receiver, from the requested one on.
     *
     * <p>Returns when the receiver has gone, or when this process does not lead any more.
     */
    void serve(Wire receiver) throws IOException, InterruptedException {
        long next = receiver.asked();
        while (leadership.isCertain()) {
            List<Line> lines = window.from(next);
            if (lines.isEmpty()) {
                askAgain(next);
            }
            List<TermLine> said = new ArrayList<>();
            lines.forEach(line -> said.add(new TermLine(leadership.term(), line)));
            // If this process freezes between the check above and this line, it cannot notice. So each line contains
            // the term.
            receiver.write(said);
            next += lines.size();
        }
    }

    /** Lets the feed begin again at an older line. Receivers that are ahead wait for the others. */
    private synchronized void askAgain(long number) {
        if (window.isTooOld(number)) {
            window.restart(number);
            if (current != null) {
                current.close();
                current = null;
            }
        }
    }
}
