package dev.doyen.demo.ring;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.doyen.group.settings.RingAlgorithm;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Locale;

/** Writes a recording as JSON for the page. {@link RecordedEvent} describes the fields. */
public final class RecordingJson {

    private static final JsonFactory JSON = new JsonFactory();

    private RecordingJson() {}

    public static String of(Recording recording) {
        var text = new StringWriter();
        try (var json = JSON.createGenerator(text)) {
            RecordingParameters plan = recording.plan();
            json.writeStartObject();
            numbers(json, "numbers", plan.numbers());
            json.writeStringField(
                    "algorithm", plan.algorithm() == RingAlgorithm.PETERSON ? "peterson" : "chang-roberts");
            json.writeStringField("fault", plan.fault().queryName());
            json.writeNumberField("seed", plan.seed());
            json.writeNumberField("hopMillis", recording.hopMillis());
            json.writeBooleanField("whole", recording.whole());
            json.writeArrayFieldStart("events");
            for (RecordedEvent event : recording.events()) {
                json.writeStartObject();
                json.writeNumberField("at", event.atMillis());
                put(json, event);
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void put(JsonGenerator json, RecordedEvent event) throws IOException {
        if (event instanceof RecordedEvent.Sent sent) {
            json.writeStringField("what", "sent");
            json.writeNumberField("id", sent.id());
            json.writeStringField("kind", sent.kind());
            json.writeNumberField("from", sent.from());
            json.writeNumberField("to", sent.to());
            json.writeNumberField("number", sent.number());
            json.writeNumberField("view", sent.view());
            json.writeNumberField("round", sent.round());
            if (sent.phase() > 0) {
                json.writeNumberField("phase", sent.phase());
                json.writeBooleanField("second", sent.second());
            }
        } else if (event instanceof RecordedEvent.Ended ended) {
            json.writeStringField("what", "ended");
            json.writeNumberField("id", ended.id());
            json.writeStringField("fate", ended.fate().name().toLowerCase(Locale.ROOT));
        } else if (event instanceof RecordedEvent.ViewMade made) {
            json.writeStringField("what", "view");
            json.writeNumberField("view", made.view());
            numbers(json, "members", made.members());
        } else if (event instanceof RecordedEvent.ViewInstalled installed) {
            json.writeStringField("what", "installed");
            json.writeNumberField("member", installed.member());
            json.writeNumberField("view", installed.view());
        } else if (event instanceof RecordedEvent.Leads leads) {
            json.writeStringField("what", "leads");
            json.writeNumberField("member", leads.member());
            json.writeNumberField("term", leads.term());
        } else if (event instanceof RecordedEvent.StepsDown down) {
            json.writeStringField("what", "stepsDown");
            json.writeNumberField("member", down.member());
            json.writeNumberField("term", down.term());
            json.writeStringField("cause", down.cause().name().toLowerCase(Locale.ROOT));
        } else if (event instanceof RecordedEvent.LeaderKnown known) {
            json.writeStringField("what", "knows");
            json.writeNumberField("member", known.member());
            if (known.leader().isPresent()) {
                json.writeNumberField("leader", known.leader().get());
            }
        } else if (event instanceof RecordedEvent.Crashed crashed) {
            json.writeStringField("what", "crashed");
            json.writeNumberField("member", crashed.member());
        } else if (event instanceof RecordedEvent.Parted parted) {
            json.writeStringField("what", "parted");
            numbers(json, "members", parted.members());
        } else {
            json.writeStringField("what", "healed");
        }
    }

    private static void numbers(JsonGenerator json, String name, List<Integer> numbers) throws IOException {
        json.writeArrayFieldStart(name);
        for (int number : numbers) {
            json.writeNumber(number);
        }
        json.writeEndArray();
    }
}
