package dev.doyen.cli;

import dev.doyen.cli.operator.ObservedElection;
import dev.doyen.cli.operator.TermTable;
import dev.doyen.cli.operator.TermTable.Row;
import dev.doyen.elector.text.ElectionText;
import dev.doyen.elector.text.PastTermFields;
import dev.doyen.elector.text.Spans;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The output of {@code doyen history}. */
record HistoryReport(String election, ObservedElection observed, Instant now) {

    /** Formats a table for people, the latest term first. */
    List<String> lines() {
        var rows = rows();
        if (rows.isEmpty()) {
            return List.of("No term of " + ElectionText.quoted(election) + " is remembered here.");
        }
        var cells = new ArrayList<List<String>>();
        cells.add(List.of("TERM", "HOLDER", "FROM", "UNTIL", "LED FOR", "ENDED", "GAP", "ASKED BY"));
        rows.forEach(row -> cells.add(cells(row)));
        var lines = new ArrayList<>(new TextTable(cells, 0).lines());
        if (observed.record().filter(LeaseRecord::isHeld).isEmpty()) {
            rows.stream()
                    .findFirst()
                    .flatMap(Row::past)
                    .map(LeaseNotes.PastTerm::until)
                    .ifPresent(until ->
                            lines.add("Nobody leads since " + Spans.text(until) + ", " + Spans.ago(until, now) + "."));
        }
        if (rows.stream()
                .anyMatch(row -> row.gapBefore().filter(Duration::isNegative).isPresent())) {
            lines.add("A gap below zero: the clocks of the two leaders differ by more than the gap was long.");
        }
        return lines;
    }

    /** Formats one JSON object for each term, the latest first. */
    List<String> jsonLines() {
        return rows().stream().map(this::json).toList();
    }

    private List<Row> rows() {
        return observed.record().map(TermTable::of).orElse(List.of());
    }

    private List<String> cells(Row row) {
        Optional<Instant> until = row.past().map(LeaseNotes.PastTerm::until);
        return List.of(
                Long.toString(row.term()),
                row.holder(),
                Spans.text(row.from()),
                until.map(Spans::text).orElse("now"),
                Spans.text(Duration.between(row.from(), until.orElse(now))),
                row.past().map(past -> ElectionText.text(past.end())).orElse("-"),
                row.gapBefore().map(Spans::text).orElse("-"),
                row.past()
                        .filter(past -> !past.by().isEmpty())
                        .map(past -> past.by() + ElectionText.remark(past.reason()))
                        .orElse("-"));
    }

    private String json(Row row) {
        return JsonLine.of(json -> {
            json.writeStringField("election", election);
            if (row.past().isPresent()) {
                PastTermFields.write(json, row.past().get());
            } else {
                json.writeNumberField("term", row.term());
                json.writeStringField("holder", row.holder());
                json.writeStringField("from", Spans.millis(row.from()));
            }
            if (row.gapBefore().isPresent()) {
                json.writeNumberField("gapMillis", row.gapBefore().get().toMillis());
            }
        });
    }
}
