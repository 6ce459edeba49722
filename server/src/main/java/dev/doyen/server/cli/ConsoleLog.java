package dev.doyen.server.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.logging.ConsoleHandler;
import java.util.logging.Formatter;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** Logs to stderr, one line for each notable thing. */
final class ConsoleLog {

    // Held, because the JDK forgets the level of a logger that nobody holds.
    private static final Logger ROOT = Logger.getLogger("");
    private static final Logger DOYEN = Logger.getLogger("dev.doyen");
    private static final Logger NETTY = Logger.getLogger("io.netty");
    private static final Logger JGROUPS = Logger.getLogger("org.jgroups");
    private static final Logger MICRORAFT = Logger.getLogger("io.microraft");

    /** How much is said. */
    enum Detail {
        /** Warnings, each on one line. */
        QUIET,
        /** Notable things, each on one line. */
        NORMAL,
        /** Everything of this program, what its libraries find notable, and stack traces. */
        VERBOSE
    }

    private ConsoleLog() {}

    static void install(Detail detail) {
        install(detail, new OneLine(detail));
    }

    /** The same as JSON, for programs that read this one's: notable things as {@code {"time","event":"log",...}}. */
    static void installJson(Detail detail) {
        install(detail == Detail.NORMAL ? Detail.QUIET : detail, new JsonLine());
    }

    /** Exactly this detail, in either form. */
    static void install(Detail detail, boolean json) {
        install(detail, json ? new JsonLine() : new OneLine(detail));
    }

    private static void install(Detail detail, Formatter formatter) {
        LogManager.getLogManager().reset();
        var handler = new ConsoleHandler();
        handler.setFormatter(formatter);
        handler.setLevel(Level.ALL);
        ROOT.addHandler(handler);
        NETTY.setLevel(Level.WARNING);
        // It calls severe that a member left, or a stranger came; what of that matters, Doyen says in its own words.
        JGROUPS.setLevel(detail == Detail.VERBOSE ? Level.WARNING : Level.OFF);
        // It logs each vote and each late message.
        MICRORAFT.setLevel(detail == Detail.VERBOSE ? Level.WARNING : Level.OFF);
        // A store that cannot be reached is said by Doyen, once; its client library would say it at every attempt.
        ROOT.setLevel(detail == Detail.VERBOSE ? Level.INFO : Level.SEVERE);
        DOYEN.setLevel(
                switch (detail) {
                    case QUIET -> Level.WARNING;
                    case NORMAL -> Level.INFO;
                    case VERBOSE -> Level.FINE;
                });
    }

    private static final class JsonLine extends Formatter {
        @Override
        public String format(LogRecord record) {
            var thrown = record.getThrown();
            var message = formatMessage(record) + (thrown == null ? "" : ": " + thrown);
            return NoticePrinter.logLine(
                            Instant.ofEpochMilli(record.getMillis()),
                            record.getLevel().getName(),
                            message)
                    + System.lineSeparator();
        }
    }

    private static final class OneLine extends Formatter {
        private final Detail detail;

        OneLine(Detail detail) {
            this.detail = detail;
        }

        @Override
        public String format(LogRecord record) {
            var line = new StringBuilder()
                    .append(Instant.ofEpochMilli(record.getMillis()).truncatedTo(ChronoUnit.MILLIS))
                    .append(' ')
                    .append(record.getLevel().getName())
                    .append(' ')
                    .append(formatMessage(record).replace('\n', ' '));
            var thrown = record.getThrown();
            if (thrown != null && detail != Detail.VERBOSE) {
                line.append(": ").append(thrown.toString().replace('\n', ' '));
            } else if (thrown != null) {
                var trace = new StringWriter();
                thrown.printStackTrace(new PrintWriter(trace));
                line.append('\n').append(trace);
            }
            return line.append(System.lineSeparator()).toString();
        }
    }
}
