package dev.doyen.stores.quorum;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Collects the quorum store's log lines until {@link #close}, by default warnings and errors. Threads: any. */
final class WireLog implements AutoCloseable {

    private static final Logger LOGGER = Logger.getLogger("dev.doyen.stores.quorum");

    private final Level least;
    private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();
    private final Handler handler = new Handler() {
        @Override
        public void publish(LogRecord line) {
            if (line.getLevel().intValue() >= least.intValue()) {
                lines.add(line.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    };

    WireLog() {
        this(Level.WARNING);
    }

    WireLog(Level least) {
        this.least = least;
        LOGGER.addHandler(handler);
    }

    /** Waits for the next line. */
    String next() throws InterruptedException {
        return Arrivals.taken(lines, "a line of the log");
    }

    /** Returns the lines that {@link #next} has not returned yet. */
    List<String> waiting() {
        return List.copyOf(lines);
    }

    @Override
    public void close() {
        LOGGER.removeHandler(handler);
    }
}
