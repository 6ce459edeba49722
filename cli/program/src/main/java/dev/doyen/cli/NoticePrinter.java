package dev.doyen.cli;

import dev.doyen.cli.run.Notice;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Instant;
import java.util.function.Consumer;

/** Prints the events of {@code doyen run}, as sentences or as JSON lines. */
final class NoticePrinter {

    private NoticePrinter() {}

    /** Prints sentences: the important events, or all events if {@code talkative}. */
    static Consumer<Notice> sentences(PrintWriter err, boolean talkative) {
        return notice -> {
            if (notice.loud() || talkative) {
                err.println("doyen: " + notice.sentence());
                err.flush();
            }
        };
    }

    /** Prints all events, one JSON object on each line. */
    static Consumer<Notice> json(PrintWriter err, String election, String candidate, Clock clock) {
        return notice -> {
            err.println(line(notice, election, candidate, clock.instant()));
            err.flush();
        };
    }

    /** Formats a line of the log as the same kind of JSON object. */
    static String logLine(Instant at, String level, String message) {
        return JsonLine.of(json -> {
            json.writeStringField("time", JsonLine.time(at));
            json.writeStringField("event", "log");
            json.writeStringField("level", level);
            json.writeStringField("message", message);
        });
    }

    private static String line(Notice notice, String election, String candidate, Instant at) {
        return JsonLine.of(json -> {
            json.writeStringField("time", JsonLine.time(at));
            json.writeStringField("event", notice.event());
            json.writeStringField("election", election);
            json.writeStringField("candidate", candidate);
            if (notice.term().isPresent()) {
                json.writeNumberField("term", notice.term().getAsLong());
            }
            if (!notice.leader().isEmpty()) {
                json.writeStringField("leader", notice.leader());
            }
            if (notice.exitCode().isPresent()) {
                json.writeNumberField("exitCode", notice.exitCode().getAsLong());
            }
            json.writeStringField("message", notice.sentence());
        });
    }
}
