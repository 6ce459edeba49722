package dev.doyen.cli;

import dev.doyen.cli.run.Notice;
import dev.doyen.elector.text.Spans;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Instant;
import java.util.function.Consumer;

/** Prints the events of {@code doyen run} as sentences or as JSON lines. */
final class NoticePrinter {

    private NoticePrinter() {}

    /**
     * Returns a printer of sentences. It prints all events if {@code talkative} is true, else only the important
     * events.
     */
    static Consumer<Notice> sentences(PrintWriter err, boolean talkative) {
        return notice -> {
            if (notice.loud() || talkative) {
                err.println("doyen: " + notice.sentence());
                err.flush();
            }
        };
    }

    /** Returns a printer of all events. It prints one JSON object on each line. */
    static Consumer<Notice> json(PrintWriter err, String election, String candidate, Clock clock) {
        return notice -> {
            err.println(line(notice, election, candidate, clock.instant()));
            err.flush();
        };
    }

    /** Formats a log line as a JSON object with the event name {@code log}. */
    static String logLine(Instant at, String level, String message) {
        return JsonLine.of(json -> {
            json.writeStringField("time", Spans.millis(at));
            json.writeStringField("event", "log");
            json.writeStringField("level", level);
            json.writeStringField("message", message);
        });
    }

    private static String line(Notice notice, String election, String candidate, Instant at) {
        return JsonLine.of(json -> {
            json.writeStringField("time", Spans.millis(at));
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
