package dev.doyen.cli;

import dev.doyen.cli.operator.Change;
import dev.doyen.elector.text.Spans;
import java.time.Instant;
import java.util.Locale;

/** One line of the output of {@code doyen watch}. */
record ChangeLine(String election, Change change, Instant now) {

    /** Formats the line for people. */
    String text() {
        return String.format(
                Locale.ROOT, "%s  %-17s  %s", Spans.text(now), change.kind().text(), change.sentence());
    }

    /** Formats the line as a JSON object. */
    String json() {
        return JsonLine.of(json -> {
            json.writeStringField("time", Spans.millis(now));
            json.writeStringField("event", change.kind().text());
            json.writeStringField("election", election);
            if (change.leader().isPresent()) {
                json.writeStringField("leader", change.leader().get().id());
                json.writeNumberField("term", change.leader().get().term());
            } else {
                json.writeNullField("leader");
            }
            json.writeStringField("message", change.sentence());
        });
    }
}
