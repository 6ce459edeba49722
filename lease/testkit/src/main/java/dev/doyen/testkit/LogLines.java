package dev.doyen.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Collects Doyen's log lines with a prefix, until this object is closed. Threads: only one thread at a time may log or
 * call a method of this object.
 */
public final class LogLines implements AutoCloseable {

    private static final Logger LOGGER = Logger.getLogger("dev.doyen");

    private final List<String> lines = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private final Handler handler;

    /** Begins to collect lines that start with {@code prefix}. */
    public LogLines(String prefix) {
        handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                if (line.getMessage().startsWith(prefix)) {
                    lines.add(line.getMessage());
                    if (line.getLevel().equals(Level.WARNING)) {
                        warnings.add(line.getMessage());
                    }
                }
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        LOGGER.addHandler(handler);
    }

    /** Returns a live list of the collected lines. Later lines are added to this list. */
    public List<String> lines() {
        return lines;
    }

    /** Returns the lines that are warnings. */
    public List<String> warnings() {
        return warnings;
    }

    @Override
    public void close() {
        LOGGER.removeHandler(handler);
    }
}
