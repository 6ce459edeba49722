package dev.doyen.examples.feed;

import dev.doyen.Leadership;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the leader does: holds the one connection to the feed, and has its lines for the others. No checkpoint is needed:
 * each receiver knows which line it wants next, and the feed can send it again.
 *
 * <p>Threads: {@link #run} on one, {@link #serve} on one for each receiver.
 */
final class Holding {

    private static final int PAUSE_MILLIS = 100;

    private final Leadership leadership;
    private final InetSocketAddress feed;
    private final Window window;
    private @Nullable Wire current;

    Holding(Leadership leadership, InetSocketAddress feed, long first) {
        this.leadership = leadership;
        this.feed = feed;
        this.window = new Window(first);
    }

    /**
     * Returns when this leads no more.
     *
     * @throws IOException if the feed cannot be reached; another may have more luck
     */
    void run() throws IOException, InterruptedException {
        while (leadership.isCertain()) {
            try (Wire wire = ask()) {
                hear(wire);
            }
            Thread.sleep(PAUSE_MILLIS);
        }
    }

    /** Returns when the feed hangs up, or is asked again on another connection. */
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

    /** False if this connection is not the one that was asked last. */
    private synchronized boolean keep(Wire wire, Line line) throws IOException {
        if (wire != current) {
            return false;
        }
        window.add(line);
        return true;
    }

    /** Sends lines to a receiver, from the one it asked for, until it is gone or this leads no more. */
    void serve(Wire receiver) throws IOException, InterruptedException {
        long next = receiver.asked();
        while (leadership.isCertain()) {
            List<Line> lines = window.from(next);
            if (lines.isEmpty()) {
                askAgain(next);
            }
            List<TermLine> said = new ArrayList<>();
            lines.forEach(line -> said.add(new TermLine(leadership.term(), line)));
            // Frozen between the check above and this line, nothing in this process can help: so each line has the
            // term.
            receiver.write(said);
            next += lines.size();
        }
    }

    /** Has the feed begin again at an older line; whoever is ahead waits until that is caught up with. */
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
