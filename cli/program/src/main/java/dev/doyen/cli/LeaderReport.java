package dev.doyen.cli;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.doyen.cli.operator.ObservedElection;
import dev.doyen.cli.operator.ObservedElection.State;
import dev.doyen.elector.text.ElectionText;
import dev.doyen.elector.text.Spans;
import dev.doyen.store.LeaseNotes;
import dev.doyen.store.LeaseRecord;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The output of {@code doyen leader}.
 *
 * @param nanos the time of the report, on the clock of the snapshot ({@link System#nanoTime})
 * @param now the time of the report on this machine's wall clock
 */
record LeaderReport(String election, ObservedElection observed, long nanos, Instant now) {

    boolean leads() {
        return observed.leader(nanos).isPresent();
    }

    /** Formats the report for people. */
    List<String> lines() {
        var lines = new ArrayList<String>();
        var record = observed.record();
        if (record.isEmpty()) {
            lines.add(line("leader", "no leader, and the election has never had one; check the name"));
            return lines;
        }
        if (leads()) {
            var held = record.get();
            lines.add(line("leader", held.holder()));
            lines.add(line("term", Long.toString(held.term())));
            lines.add(line("since", Spans.text(held.acquiredAt()) + ", " + Spans.ago(held.acquiredAt(), now)));
            lines.add(line("renewed", renewed()));
            lines.add(line("lease", lease()));
            held.epoch().ifPresent(under -> lines.add(line("session", under.session() + ", epoch " + under.term())));
        } else {
            lines.add(line("leader", "nobody"));
            lines.add(line("last", last(record.get())));
        }
        pause().ifPresent(pause -> lines.add(line("paused", ElectionText.text(pause, now))));
        order().filter(order -> leads()).ifPresent(order -> lines.add(line("asked", ElectionText.text(order))));
        return lines;
    }

    /** Formats the report as one JSON object. */
    String json() {
        return JsonLine.of(json -> {
            json.writeStringField("time", Spans.millis(now));
            json.writeStringField("election", election);
            json.writeStringField("state", stateName(observed.state(nanos)));
            if (leads()) {
                writeLeader(json, observed.record().orElseThrow());
            } else {
                json.writeNullField("leader");
            }
            if (pause().isPresent()) {
                json.writeObjectFieldStart("paused");
                json.writeStringField("by", pause().get().by());
                json.writeStringField("since", Spans.millis(pause().get().since()));
                json.writeStringField("reason", pause().get().reason());
                json.writeEndObject();
            }
            if (order().isPresent()) {
                json.writeObjectFieldStart("asked");
                json.writeStringField("by", order().get().by());
                json.writeStringField("to", order().get().to());
                json.writeStringField("reason", order().get().reason());
                json.writeEndObject();
            }
        });
    }

    private void writeLeader(JsonGenerator json, LeaseRecord held) throws IOException {
        json.writeStringField("leader", held.holder());
        json.writeNumberField("term", held.term());
        json.writeStringField("since", Spans.millis(held.acquiredAt()));
        if (observed.renewedAt().isPresent()) {
            json.writeStringField("renewedAt", Spans.millis(observed.renewedAt().get()));
        }
        json.writeNumberField("ttlMillis", observed.ttl().toMillis());
        json.writeNumberField("unchangedForMillis", observed.silentFor(nanos).toMillis());
        json.writeNumberField("lastsMillis", observed.lasts(nanos).toMillis());
        Optional<LeaseRecord.Epoch> epoch = held.epoch();
        if (epoch.isPresent()) {
            json.writeStringField("session", epoch.get().session());
            json.writeNumberField("epoch", epoch.get().term());
        }
    }

    private String renewed() {
        var at = observed.renewedAt();
        if (at.isEmpty()) {
            return "never: its session has no record";
        }
        var text = Spans.text(at.get()) + ", " + Spans.ago(at.get(), now) + " by its own clock";
        boolean stale = at.get().plus(observed.ttl()).isBefore(now);
        return observed.state(nanos) == State.NAMED && stale
                ? text + ", which is longer than its ttl; --certain shows whether it still leads"
                : text;
    }

    private String lease() {
        var ttl = Spans.text(observed.ttl());
        return observed.state(nanos) == State.LED
                ? ttl + "; it was renewed just now; without another renewal another candidate can lead in "
                        + Spans.left(observed.lasts(nanos))
                : ttl + "; without a renewal another candidate can lead in " + Spans.left(observed.lasts(nanos))
                        + " at the latest, because one read cannot show its age";
    }

    private String last(LeaseRecord record) {
        if (observed.state(nanos) == State.EXPIRED) {
            return record.holder() + " in term " + record.term() + "; it has not renewed for "
                    + Spans.text(observed.silentFor(nanos)) + ", and its lease has expired";
        }
        if (observed.holder().isPresent()) {
            return record.holder() + " in term " + record.term() + "; its session has ended";
        }
        return observed.lastPast().map(this::past).orElse("none is remembered");
    }

    private String past(LeaseNotes.PastTerm past) {
        return past.holder() + " in term " + past.term() + ", until " + Spans.text(past.until()) + ", "
                + Spans.ago(past.until(), now) + ": " + ElectionText.text(past.end());
    }

    private Optional<LeaseNotes.Pause> pause() {
        return observed.record().flatMap(record -> record.notes().pause());
    }

    private Optional<LeaseNotes.StepDownRequest> order() {
        return observed.record().flatMap(record -> record.notes().stepDown());
    }

    private static String stateName(State state) {
        return state.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String line(String label, String text) {
        return String.format(Locale.ROOT, "%-9s %s", label, text);
    }
}
