package dev.doyen.elector;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.doyen.elector.text.PastTermFields;
import dev.doyen.elector.text.Spans;
import dev.doyen.event.Leader;
import dev.doyen.store.LeaseNotes;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Writes the elector's JSON with a fixed order of fields and without white space. */
final class ElectionJson {

    private static final JsonFactory FACTORY = new JsonFactory();

    private ElectionJson() {}

    /**
     * Returns exactly {@code {"name":...,"last_update":...}} with whole seconds.
     *
     * <p>Clients of the NAIS elector bind this JSON to types that accept neither additional nor missing fields.
     */
    static String leaderName(String leaderId, Instant lastUpdate) {
        return written(json -> {
            json.writeStartObject();
            json.writeStringField("name", leaderId);
            json.writeStringField(
                    "last_update", lastUpdate.truncatedTo(ChronoUnit.SECONDS).toString());
            json.writeEndObject();
        });
    }

    static String election(ElectionView view) {
        return written(json -> writeElection(json, view));
    }

    static String elections(List<ElectionView> views) {
        return written(json -> {
            json.writeStartObject();
            json.writeArrayFieldStart("elections");
            for (var view : views) {
                writeElection(json, view);
            }
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    static String reason(String reason) {
        return written(json -> {
            json.writeStartObject();
            json.writeStringField("reason", reason);
            json.writeEndObject();
        });
    }

    static String problem(int status, String title, String detail, Optional<Leader> leader) {
        return written(json -> {
            json.writeStartObject();
            json.writeStringField("type", "about:blank");
            json.writeStringField("title", title);
            json.writeNumberField("status", status);
            json.writeStringField("detail", detail);
            writeLeader(json, leader);
            json.writeEndObject();
        });
    }

    static String history(String election, List<LeaseNotes.PastTerm> past) {
        return written(json -> {
            json.writeStartObject();
            json.writeStringField("election", election);
            json.writeArrayFieldStart("terms");
            for (var term : past) {
                json.writeStartObject();
                PastTermFields.write(json, term);
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    static String amILeader(String id, boolean leads, ElectionView view) {
        return written(json -> {
            json.writeStartObject();
            json.writeStringField("id", id);
            json.writeBooleanField("leader", leads);
            if (leads) {
                json.writeNumberField("term", view.lastTerm());
                writeRemaining(json, view);
            }
            json.writeEndObject();
        });
    }

    /** Returns the JSON of an admin command's outcome, which is a sentence. */
    static String done(String sentence, Optional<Leader> leader) {
        return written(json -> {
            json.writeStartObject();
            json.writeStringField("done", sentence);
            writeLeader(json, leader);
            json.writeEndObject();
        });
    }

    private static void writeLeader(JsonGenerator json, Optional<Leader> leader) throws IOException {
        if (leader.isPresent()) {
            json.writeObjectFieldStart("leader");
            json.writeStringField("id", leader.get().id());
            json.writeNumberField("term", leader.get().term());
            json.writeEndObject();
        }
    }

    private static void writeRemaining(JsonGenerator json, ElectionView view) throws IOException {
        if (view.remaining().isPresent()) {
            json.writeNumberField("remaining", view.remaining().get().toMillis());
        }
    }

    private static String lowerCase(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    private static void writeElection(JsonGenerator json, ElectionView view) throws IOException {
        json.writeStartObject();
        json.writeStringField("name", view.name());
        writeLeader(json, view.leader());
        if (view.leader().isEmpty()) {
            json.writeNullField("leader");
        }
        json.writeNumberField("lastTerm", view.lastTerm());
        json.writeStringField("since", Spans.millis(view.since()));
        json.writeStringField("lastUpdate", Spans.millis(view.lastUpdate()));
        writeRemaining(json, view);
        if (view.remark().isPresent()) {
            json.writeStringField("remark", view.remark().get());
        }
        if (view.noLeader().isPresent()) {
            json.writeObjectFieldStart("noLeader");
            json.writeStringField("reason", lowerCase(view.noLeader().get().reason()));
            json.writeStringField("sentence", view.noLeader().get().sentence());
            json.writeEndObject();
        }
        json.writeEndObject();
    }

    private interface Writing {
        void to(JsonGenerator json) throws IOException;
    }

    private static String written(Writing writing) {
        var text = new StringWriter();
        try (var json = FACTORY.createGenerator(text)) {
            writing.to(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }
}
