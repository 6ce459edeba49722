package dev.doyen.injector.cli;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Logs notable events to stderr. Each event is one line. */
final class LogLine extends Formatter {

    // The loggers are constants, because the JDK loses the level of a logger that is no longer referenced.
    private static final Logger ROOT = Logger.getLogger("");
    private static final Logger DOYEN = Logger.getLogger("dev.doyen");

    private LogLine() {}

    static void install(boolean verbose) {
        LogManager.getLogManager().reset();
        var handler = new ConsoleHandler();
        handler.setFormatter(new LogLine());
        handler.setLevel(Level.ALL);
        ROOT.addHandler(handler);
        ROOT.setLevel(Level.WARNING);
        DOYEN.setLevel(verbose ? Level.FINE : Level.INFO);
    }

    @Override
    public String format(LogRecord record) {
        var thrown = record.getThrown();
        var line = Instant.ofEpochMilli(record.getMillis()).truncatedTo(ChronoUnit.MILLIS) + " "
                + record.getLevel().getName() + " " + formatMessage(record) + (thrown == null ? "" : ": " + thrown);
        return line.replace('\n', ' ') + System.lineSeparator();
    }
}
