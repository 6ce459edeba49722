package dev.doyen.cli;

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

/** Configures the log of the program, which goes to stderr. */
final class ConsoleLog {

    // These loggers are constants, because the JDK loses the level of a logger that nothing references.
    private static final Logger ROOT = Logger.getLogger("");
    private static final Logger DOYEN = Logger.getLogger("dev.doyen");
    private static final Logger NETTY = Logger.getLogger("io.netty");
    private static final Logger JGROUPS = Logger.getLogger("org.jgroups");
    private static final Logger MICRORAFT = Logger.getLogger("io.microraft");

    /** The level of detail of the log. */
    enum Detail {
        /** Logs only warnings and errors, each on one line. */
        QUIET,
        /** Logs notable events, each on one line. */
        NORMAL,
        /**
         * Logs Doyen's messages at level FINE and higher. The text form includes stack traces.
         *
         * <p>Netty, JGroups and MicroRaft log at level WARNING and higher. Other libraries log at level INFO and
         * higher.
         */
        VERBOSE
    }

    private ConsoleLog() {}

    static void install(Detail detail) {
        install(detail, new OneLine(detail));
    }

    /**
     * Logs as JSON lines ({@code {"time","event":"log",...}}), for commands whose own output is also JSON.
     *
     * <p>NORMAL becomes QUIET, because a command with JSON output prints notable events itself.
     */
    static void installJson(Detail detail) {
        install(detail == Detail.NORMAL ? Detail.QUIET : detail, new JsonLine());
    }

    /** Logs with exactly this detail, in either format. */
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
        // JGroups logs at level SEVERE that a member left or that an unknown process connected. Doyen itself logs the
        // events that matter to users.
        JGROUPS.setLevel(detail == Detail.VERBOSE ? Level.WARNING : Level.OFF);
        // MicroRaft logs each vote and each late message.
        MICRORAFT.setLevel(detail == Detail.VERBOSE ? Level.WARNING : Level.OFF);
        // Doyen logs once that a store is unreachable. The client library of the store would log the failure of every
        // attempt.
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
